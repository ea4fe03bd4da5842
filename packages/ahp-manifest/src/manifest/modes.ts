import type { Mode } from '../generated/manifest/manifest.js'

/** The modes, lowest first; each contains the ones before it. */
export const MODES: readonly ['MODE1', 'MODE2', 'MODE3'] = ['MODE1', 'MODE2', 'MODE3']

/** Every mode up to the highest of those given; MODE1 in any case. Values that are no modes do not count. */
export function modesUpTo(modes: readonly unknown[]): Mode[] {
  const highest = Math.max(0, ...modes.map((mode) => MODES.indexOf(mode as Mode)))
  return MODES.slice(0, highest + 1)
}
