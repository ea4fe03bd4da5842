import { cleanText } from '../text/untrusted-text.js'

/** A service binding (RFC 9460). */
export interface SvcbRecord {
  /** 0 is an alias. */
  readonly priority: number
  /** Without the final dot; `.` is the owner itself. */
  readonly target: string
  /** Keys in lower case, values unquoted. */
  readonly parameters: ReadonlyMap<string, string>
}

const MAX_LENGTH = 8192

/** Parses the presentation form, e.g. `1 mcp.example.com. alpn="h2" port=443`; undefined if it is none. */
export function parseSvcbRecord(text: string): SvcbRecord | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const [, priority, name, rest = ''] = /^\s*(\d{1,5})\s+(\S{1,255})([^]*)$/.exec(text) ?? []
  if (priority === undefined || name === undefined || Number(priority) > 65_535) return undefined
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, plain] of rest.matchAll(
    /([a-z0-9-]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*)))?/gi,
  )) {
    const value = unescaped(quoted ?? plain ?? '')
    if (!parameters.has(key.toLowerCase())) parameters.set(key.toLowerCase(), cleanText(value, 2048))
  }
  const target = name === '.' ? '.' : cleanText(name.replace(/\.$/, '').toLowerCase(), 255)
  return { priority: Number(priority), target, parameters }
}

/** `\DDD` is the octet of that number, `\` before anything else takes its meaning away (RFC 1035, 5.1). */
function unescaped(text: string): string {
  return text.replace(/\\(?:([01]\d\d|2[0-4]\d|25[0-5])|(.))/g, (_, octet?: string, character?: string) =>
    octet === undefined ? (character ?? '') : String.fromCharCode(Number(octet)),
  )
}
