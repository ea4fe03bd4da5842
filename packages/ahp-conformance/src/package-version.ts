import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('@doorplate/ahp-conformance/package.json') as {
  version: string
}

/** This program as reports name it. */
export const RUNNER: { readonly name: string; readonly version: string } = {
  name: 'ahp-conformance',
  version,
}
