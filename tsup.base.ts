import { defineConfig, type Options } from 'tsup'

/** Declarations come from `tsc -p tsconfig.build.json`; tsup only bundles. */
export function library(options: Options): ReturnType<typeof defineConfig> {
  return defineConfig({
    format: 'esm',
    target: 'node20',
    platform: 'neutral',
    splitting: true,
    treeshake: true,
    dts: false,
    clean: true,
    external: [/^node:/, /^#/],
    ...options,
  })
}
