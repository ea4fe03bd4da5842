import { build } from 'esbuild'

/** Bundles the programs of a project for Node, from `programs/all.mjs` to `bundled/all.js`. */
export async function bundlePrograms(project: string): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: ['programs/all.mjs'],
    outdir: 'bundled',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // What a library written as CommonJS requires of Node.
    banner: {
      js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url)",
    },
  })
}
