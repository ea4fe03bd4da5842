/** The text and language of an extended parameter value such as `UTF-8'de'n%C3%A4chstes` (RFC 8187), or undefined if it is none. */
export function decodeExtendedValue(value: string): { text: string; language?: string } | undefined {
  const [charset, language, encoded, ...rest] = value.split("'")
  if (charset === undefined || language === undefined || encoded === undefined || rest.length > 0)
    return undefined
  const text = decode(charset.toLowerCase(), encoded)
  if (text === undefined) return undefined
  return language === '' ? { text } : { text, language: language.toLowerCase() }
}

function decode(charset: string, encoded: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(encoded)) return undefined
  try {
    if (charset === 'utf-8') return decodeURIComponent(encoded)
    if (charset === 'iso-8859-1')
      return encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  } catch {
    // Bytes that are no UTF-8.
  }
  return undefined
}
