/** That of package.json, written in when the package is built. */
declare const PACKAGE_VERSION: string

/** This program as reports name it. */
export const RUNNER: { readonly name: string; readonly version: string } = {
  name: 'aadp-conformance',
  version: PACKAGE_VERSION,
}
