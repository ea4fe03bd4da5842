import type { Requirement } from './sources.js'

/** The rule behind each semantic code of the manifest: what its schema cannot say. */
export function semanticRules(requirements: readonly Requirement[]): string {
  const codes = requirements
    .filter(
      ({ subject, place }) => subject === 'manifest' && place !== undefined && /^[a-z0-9_]+$/.test(place),
    )
    .map(({ id, place }) => [place, id])
  return `/** The rule behind each semantic code. */
export const semanticRules = ${JSON.stringify(Object.fromEntries(codes), null, 2)} as const
`
}
