/**
 * A copy of a credential with one character changed, in the middle, where it counts in every common form: the last ones of
 * a base64url text may be padding.
 */
export function wrongCopyOf(credential: string): string {
  const at = Math.floor(credential.length / 2)
  return credential.slice(0, at) + (credential[at] === '0' ? '1' : '0') + credential.slice(at + 1)
}
