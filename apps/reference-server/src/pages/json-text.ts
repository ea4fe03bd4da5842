const MAX_STRING = 400
const MAX_TEXT = 12_000

/** A value as indented JSON for people: long texts in it are cut, and so is the whole. */
export function jsonText(
  value: unknown,
  { maxLength = MAX_TEXT }: { readonly maxLength?: number } = {},
): string {
  const text = JSON.stringify(value, (_, member: unknown) => shortened(member), 2)
  return text.length > maxLength ? `${text.slice(0, maxLength)}\n…` : text
}

function shortened(member: unknown): unknown {
  if (typeof member !== 'string' || member.length <= MAX_STRING) return member
  return `${member.slice(0, MAX_STRING)}… (${String(member.length - MAX_STRING)} characters more)`
}
