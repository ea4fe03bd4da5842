import { defineConfig } from 'vitest/config'

export default defineConfig({
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
