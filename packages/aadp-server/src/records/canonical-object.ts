/** An object in canonical form (RFC 8785), given its members in order of their names; those without a text are left out. */
export function objectText(members: readonly (readonly [string, string | undefined])[]): string {
  const texts = members.flatMap(([name, text]) => (text === undefined ? [] : [`"${name}":${text}`]))
  return `{${texts.join(',')}}`
}
