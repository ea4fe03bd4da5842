import { existsSync } from 'node:fs'
import { describe, it } from 'vitest'

/** Runs `define` inside a `describe` where the folder exists; elsewhere leaves one skipped test that says so. */
export function describeWithFolder(
  name: string,
  directory: string,
  define: (directory: string) => void,
): void {
  describe(name, () => {
    if (existsSync(directory)) define(directory)
    else it.skip(`needs the folder ${directory}`, () => {})
  })
}
