/** How much of the protocol a run is about. */
export type Profile = 'mode1' | 'mode2' | 'mode3' | 'full'

/** The parts of the suite that each profile has; `full` judges whatever the site declares. */
export const PROFILES: Readonly<Record<Profile, readonly Part[]>> = {
  mode1: ['mode1'],
  mode2: ['mode1', 'mode2'],
  mode3: ['mode1', 'mode2', 'mode3'],
  full: ['mode1', 'mode2', 'mode3', 'faces'],
}

/** `faces`: MCP and OpenAPI. */
export type Part = 'mode1' | 'mode2' | 'mode3' | 'faces'
