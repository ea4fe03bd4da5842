import { sha256Hex } from '@doorplate/aadp-schemas/canonical-json'
import { isHtml } from '../kinds/markup.js'
import type { CappedResponse } from './fetch-capped.js'

/** What an answer looks like, to compare it with the answer to a path that cannot exist. */
export interface Fingerprint {
  readonly status: number
  readonly mediaType: string | undefined
  readonly sha256: string
  readonly length: number
  readonly truncated: boolean
  readonly html: boolean
  readonly title: string | undefined
  /** Names of the members of a JSON object. */
  readonly members: string | undefined
  /** The first lines of a text that is neither HTML nor JSON, without the path that was asked for. */
  readonly lines: ReadonlySet<string>
}

const MAX_LINES = 200

export function fingerprint(response: CappedResponse, text: string): Fingerprint {
  const { status, mediaType, bytes, truncated } = response
  const html = isHtml(text)
  return {
    status,
    mediaType,
    sha256: sha256Hex(bytes),
    length: bytes.byteLength,
    truncated,
    html,
    title: titleOf(text),
    members: membersOf(text),
    lines: new Set(html || /^\s*[[{]/.test(text) ? [] : firstLines(withoutPath(text, response.url))),
  }
}

/**
 * Whether two answers are one and the same page. Shells carry nonces and paths, so that equal titles and nearly equal lengths
 * are enough for HTML, and half of the lines for other text; anything else has to be equal byte for byte.
 */
export function isSameAnswer(a: Fingerprint, b: Fingerprint): boolean {
  if (a.status !== b.status) return false
  if (a.sha256 === b.sha256 && a.length === b.length) return true
  if (a.mediaType !== b.mediaType || a.html !== b.html) return false
  return a.html ? a.title === b.title && isNear(a.length, b.length) : shareLines(a.lines, b.lines)
}

/** Whether two JSON objects have members of the same names. */
export function isSameShape(a: Fingerprint, b: Fingerprint): boolean {
  return a.status === b.status && a.members !== undefined && a.members === b.members
}

/** Whether half of the lines of the longer text stand in the other. */
function shareLines(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const shared = [...a].filter((line) => b.has(line)).length
  return shared > 0 && shared * 2 >= Math.max(a.size, b.size)
}

/** Many answers to any path name it. */
function withoutPath(text: string, url: string): string {
  return text.replaceAll(new URL(url).pathname, '')
}

function firstLines(text: string): readonly string[] {
  const lines = text.slice(0, 65_536).split(/[\r\n]+/, MAX_LINES)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 256 + Math.max(a, b) / 10
}

function titleOf(text: string): string | undefined {
  const start = text.search(/<title[\s>]/i)
  if (start === -1) return undefined
  const end = text.indexOf('</', start)
  return text
    .slice(text.indexOf('>', start) + 1, end === -1 ? start + 200 : end)
    .trim()
    .slice(0, 200)
}

function membersOf(text: string): string | undefined {
  if (text.length > 65_536 || !/^\s*\{/.test(text)) return undefined
  try {
    return Object.keys(JSON.parse(text) as object)
      .sort()
      .join(' ')
  } catch {
    return undefined
  }
}
