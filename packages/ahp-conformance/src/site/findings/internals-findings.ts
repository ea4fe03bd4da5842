import type { Finding } from '@doorplate/conformance-kit'
import { ownMember } from '../../own-member.js'
import { rule } from '../../requirements.js'
import { findText } from '../find-text.js'
import type { Reading } from '../reading.js'

/** What an error tells of the program that made it. The specification has no word on it, so it warns. */
export function internalsFindings({ json, text, url, status = 0 }: Reading): readonly Finding[] {
  if (status < 400 && !tellsOfFailure(json)) return []
  const found = findText(json ?? text, (part) => toldIn(part) !== undefined)
  if (found === undefined) return []
  const message = `The error with status ${status} tells ${toldIn(found.text) ?? ''}.`
  return [{ requirement: rule('R-083'), url, pointer: found.pointer, message, advisory: true }]
}

/** Work that failed, and errors of MCP, come with status 200. */
function tellsOfFailure(json: unknown): boolean {
  return (
    ownMember(json, 'status') === 'failed' ||
    ownMember(json, 'error') !== undefined ||
    ownMember(json, 'result', 'isError') === true
  )
}

/** Names what is told, with the text that shows it. */
function toldIn(text: string): string | undefined {
  const looked = text.slice(0, MAX_LOOKED_AT)
  for (const [what, form] of INTERNALS) {
    const [seen] = form.exec(looked) ?? []
    if (seen !== undefined) return `${what}: ${JSON.stringify(seen.trim().slice(0, MAX_QUOTED))}`
  }
  return undefined
}

const MAX_LOOKED_AT = 20_000
const MAX_QUOTED = 100

/** As the common languages write traces, and as the common systems lay out files. */
const INTERNALS: readonly (readonly [string, RegExp])[] = [
  [
    'a trace of its stack',
    /^[ \t]{0,8}at [^\n]{1,300}(?::\d{1,7}:\d{1,7}\)?|\(<anonymous>\)|:line \d{1,7})[ \t\r]*$/m,
  ],
  ['a trace of its stack', /^[ \t]{0,8}at [\w$.<>]{1,300}\([\w$.]{1,200}(?::\d{1,7})?\)|\(Native Method\)/m],
  [
    'a trace of its stack',
    /Traceback \(most recent call last\)|goroutine \d{1,9} \[|panicked at |\bnode:internal\//,
  ],
  ['a trace of its stack', /[\w-]\.(?:[cm]?[jt]sx?|py|rb|php|go|rs|java|kt|cs|exs?):\d{1,7}\b/],
  ['a trace of its stack', /[\w-]\.(?:py|php)["']?,? (?:on )?line \d{1,7}\b/],
  [
    'a path of its files',
    /(?:^|[\s"'`(=:])(?:file:\/\/)?\/(?:home|Users|usr|var|opt|srv|root|etc|proc|private)\/[\w.@-]+/,
  ],
  [
    'a path of its files',
    /(?:^|[\s"'`(=])(?:file:\/\/)?\/[\w./@-]{1,300}\.(?:[cm]?[jt]s|py|rb|php|go|rs|java|kt|cs|sql|sqlite|env)\b/,
  ],
  ['a path of its files', /(?:^|[\s"'`(=])[A-Za-z]:\\[\w.@ -]|\/node_modules\//],
]
