import { createRequire } from 'node:module'

const { version } = createRequire(import.meta.url)('@doorplate/agent-discovery/package.json') as {
  readonly version: string
}

/** Name and version of the command. */
export const COMMAND: { readonly name: string; readonly version: string } = {
  name: 'agent-discovery',
  version,
}
