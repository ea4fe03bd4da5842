import { checkOption, isRecord, isTexts } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'

/** One way to authenticate that a server offers. */
export interface Challenge {
  /** The scheme in lower case, e.g. `bearer`. */
  readonly scheme: string
  /** The `token68` form, e.g. of `Negotiate`. */
  readonly token68?: string
  /** Names in lower case; of a repeated one the first value. */
  readonly parameters: ReadonlyMap<string, string>
  /** Each once. */
  readonly warnings: readonly ChallengeWarning[]
}

/** What was wrong with a challenge that was read nevertheless. */
export type ChallengeWarning = 'repeated-parameter' | 'unterminated-quote' | 'missing-comma'

/** Options of `parseWwwAuthenticate`. */
export interface ParseWwwAuthenticateOptions {
  /** Challenges kept. Default 32. */
  readonly maxChallenges?: number
  /** Characters read, over all field lines. Default 16 384. */
  readonly maxLength?: number
}

interface OpenChallenge {
  readonly scheme: string
  token68?: string
  readonly parameters: Map<string, string>
  readonly warnings: ChallengeWarning[]
}

/** One item of the comma-separated field: `scheme`, `scheme token68`, `scheme name=value` or `name=value`. */
const SCHEME = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]+|$)(?![ \t=])/i
const TOKEN68 = /^[a-z0-9._~+/-]+=*$/i
const PARAMETER = /^([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*=[ \t]*/i

/**
 * Parses `WWW-Authenticate` (RFC 9110, 11.6.1): every challenge of every field line. Tolerates spaces round `=`, empty list
 * items, repeated parameters, missing commas and end quotes; never throws on content; linear.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function parseWwwAuthenticate(
  field: string | readonly string[],
  options: ParseWwwAuthenticateOptions = {},
): readonly Challenge[] {
  checkOption('field', typeof field === 'string' || isTexts(field), 'a text or a list of texts')
  checkOption('options', isRecord(options), 'an object')
  const maxChallenges = integerOption('maxChallenges', options.maxChallenges, 32)
  const maxLength = integerOption('maxLength', options.maxLength, 16_384)
  const text = (typeof field === 'string' ? field : field.join(', ')).slice(0, maxLength)
  const challenges: OpenChallenge[] = []
  for (const item of listItems(text)) {
    const [opening, scheme] = SCHEME.exec(item) ?? []
    if (scheme === undefined) {
      const current = challenges.at(-1)
      if (current) addParameters(current, item)
      continue
    }
    if (challenges.length === maxChallenges) break
    const challenge: OpenChallenge = { scheme: scheme.toLowerCase(), parameters: new Map(), warnings: [] }
    challenges.push(challenge)
    const rest = item.slice(opening?.length).trim()
    if (rest !== '') addParameters(challenge, rest)
  }
  return challenges
}

/** Adds `name=value`, and those that follow it without a comma, as many servers write them. */
function addParameters(challenge: OpenChallenge, text: string): void {
  let rest = addParameter(challenge, text)
  while (PARAMETER.test(rest)) {
    warn(challenge, 'missing-comma')
    rest = addParameter(challenge, rest)
  }
}

/** Adds one parameter or a token68; gives what stands behind it. */
function addParameter(challenge: OpenChallenge, text: string): string {
  const [opening, name] = PARAMETER.exec(text) ?? []
  const raw = opening === undefined ? undefined : text.slice(opening.length)
  const isToken68 = challenge.parameters.size === 0 && challenge.token68 === undefined && TOKEN68.test(text)
  if (isToken68 && (raw === undefined || /^=*$/.test(raw))) {
    challenge.token68 = text
    return ''
  }
  if (name === undefined || raw === undefined) return ''
  const { value, terminated, rest } = readValue(raw)
  if (!terminated) warn(challenge, 'unterminated-quote')
  const key = name.toLowerCase()
  if (challenge.parameters.has(key)) warn(challenge, 'repeated-parameter')
  else challenge.parameters.set(key, value)
  return rest
}

function warn({ warnings }: OpenChallenge, warning: ChallengeWarning): void {
  if (!warnings.includes(warning)) warnings.push(warning)
}

interface ReadValue {
  readonly value: string
  readonly terminated: boolean
  /** What stands behind the value. */
  readonly rest: string
}

function readValue(raw: string): ReadValue {
  if (!raw.startsWith('"')) return readToken(raw)
  let value = ''
  for (let index = 1; index < raw.length; index++) {
    const character = raw[index] ?? ''
    if (character === '"') return { value, terminated: true, rest: raw.slice(index + 1).trim() }
    value += character === '\\' ? (raw[++index] ?? '') : character
  }
  return { value, terminated: false, rest: '' }
}

/** White space ends a token only where another parameter follows: values with forgotten quotes are kept whole. */
function readToken(raw: string): ReadValue {
  const end = raw.search(/[ \t]/)
  const rest = end === -1 ? '' : raw.slice(end).trim()
  return PARAMETER.test(rest)
    ? { value: raw.slice(0, end), terminated: true, rest }
    : { value: raw.trim(), terminated: true, rest: '' }
}

/** Splits at commas outside quoted strings. */
function* listItems(text: string): Generator<string> {
  let start = 0
  let quoted = false
  for (let index = 0; index <= text.length; index++) {
    const character = text[index]
    if (quoted && character === '\\') index++
    else if (character === '"') quoted = !quoted
    else if (character === undefined || (character === ',' && !quoted)) {
      const item = text.slice(start, index).trim()
      if (item !== '') yield item
      start = index + 1
    }
  }
  if (start < text.length && quoted) yield text.slice(start).trim()
}
