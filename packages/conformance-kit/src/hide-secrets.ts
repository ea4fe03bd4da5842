/** Puts `(hidden)` in place of each of these texts; the longest first, so that none leaves a part of another. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length)
    .reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text)
}
