import { gzipSync } from 'node:zlib'
import { build, type BuildOptions } from 'esbuild'
import type { WorkspacePackage } from './workspace-packages.js'

export interface Bundle {
  readonly text: string
  /** Bytes of the minified bundle, after gzip. */
  readonly gzipBytes: number
}

/**
 * What a bundler makes of a line of a user of a package: minified, with all that the package brings. Optional peers and what
 * Node has itself are left out.
 */
export async function bundleLine(
  line: string,
  { path, manifest }: WorkspacePackage,
  options: BuildOptions = {},
): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: line, resolveDir: path },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: Object.keys(manifest.peerDependencies ?? {}),
    legalComments: 'none',
    write: false,
    logLevel: 'error',
    ...options,
  })
  const text = outputFiles?.[0]?.text ?? ''
  return { text, gzipBytes: gzipSync(text).length }
}
