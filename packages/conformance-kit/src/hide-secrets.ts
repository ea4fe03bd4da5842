/** Puts `(hidden)` in place of each of these texts, also as JSON writes it; the longest first, so that none leaves a part of another. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret !== '')
    .toSorted((left, right) => right.length - left.length)
    .reduce((shown, secret) => shown.replaceAll(secret, '(hidden)'), text)
}
