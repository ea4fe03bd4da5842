import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** What the npm package of a runtime calls the packages that hold its program, by machine. */
const PLATFORM_PACKAGES = {
  bun: [`@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`],
  deno: [`@deno/${process.platform}-${process.arch}-glibc`, `@deno/${process.platform}-${process.arch}`],
} as const

/** The program of another runtime for this machine, which its npm package brings; undefined where there is none. */
export function programOf(runtime: 'bun' | 'deno'): string | undefined {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve(`${runtime}/package.json`))
  for (const name of PLATFORM_PACKAGES[runtime]) {
    try {
      const folder = dirname(resolve(`${name}/package.json`))
      return [join(folder, 'bin', runtime), join(folder, runtime)].find((path) => existsSync(path))
    } catch {
      // Not installed for this machine.
    }
  }
  return undefined
}
