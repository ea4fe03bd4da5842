import { readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'

/** Declarations come from `tsc -p tsconfig.build.json`; tsup only bundles. */
export function library(options: Options): ReturnType<typeof defineConfig> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  return defineConfig({
    format: 'esm',
    target: 'node20',
    platform: 'neutral',
    splitting: true,
    treeshake: true,
    dts: false,
    clean: true,
    external: [/^node:/, /^#/],
    // Read here, so that who bundles a package needs no file of it besides its code.
    define: { PACKAGE_VERSION: JSON.stringify(version) },
    ...options,
  })
}
