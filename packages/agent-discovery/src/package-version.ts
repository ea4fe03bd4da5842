/** That of package.json, written in when the package is built. */
declare const PACKAGE_VERSION: string

/** Name and version of the command. */
export const COMMAND: { readonly name: string; readonly version: string } = {
  name: 'agent-discovery',
  version: PACKAGE_VERSION,
}
