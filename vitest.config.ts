import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [packageVersions()],
  test: {
    include: [
      '{packages,apps,internal}/*/{src,test}/**/*.test.ts',
      'bench/src/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 30_000,
  },
})

/** Sources name the version of their package as what is built does. */
function packageVersions(): Plugin {
  return {
    name: 'package-versions',
    transform(code, file) {
      const folder = /^(.*)\/src\/package-version\.ts$/.exec(file)?.[1]
      if (folder === undefined) return undefined
      const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string }
      return code.replace(/: PACKAGE_VERSION/, `: ${JSON.stringify(version)}`)
    },
  }
}
