import type { LinkParameter, LinkWarning } from './link-parameter.js'

/** A link-value as written, or a piece of the field that is none. */
export type LinkToken =
  | {
      readonly target: string
      readonly parameters: readonly LinkParameter[]
      readonly warnings: readonly LinkWarning[]
    }
  | { readonly malformed: string }

/** Line ends too: the obsolete folding of a field is white space (RFC 9112, 5.2). */
const WHITE_SPACE = ' \t\r\n'

/**
 * Splits a `Link` field value into link-values (RFC 8288, appendix B.2 and B.3) in one pass over it. What is no link is
 * skipped up to the next comma, so that the links after it survive.
 */
export function* scanLinks(field: string): Generator<LinkToken> {
  let position = 0
  while (position < field.length) {
    position = skip(field, position, `,${WHITE_SPACE}`)
    if (position >= field.length) return
    const end = targetEnd(field, position)
    if (end === -1) {
      const next = skipItem(field, position)
      yield { malformed: field.slice(position, next) }
      position = next
      continue
    }
    const target = field.slice(position + 1, end).trim()
    const scanned = scanParameters(field, end + 1)
    position = scanned.position
    yield { target, parameters: scanned.parameters, warnings: scanned.warnings }
  }
}

/** The index of the `>` that closes the target opened at `start`, or -1. A `<` inside a target is never legal. */
function targetEnd(field: string, start: number): number {
  if (field[start] !== '<') return -1
  for (let index = start + 1; index < field.length; index++) {
    if (field[index] === '>') return index
    if (field[index] === '<') return -1
  }
  return -1
}

interface ScannedParameters {
  readonly parameters: readonly LinkParameter[]
  readonly warnings: readonly LinkWarning[]
  /** The index of the comma that ends the link-value, or the length of the field. */
  readonly position: number
}

function scanParameters(field: string, start: number): ScannedParameters {
  const parameters: LinkParameter[] = []
  const warnings: LinkWarning[] = []
  let position = skip(field, start, WHITE_SPACE)
  while (position < field.length && field[position] !== ',') {
    if (field[position] !== ';') {
      warnings.push('text-after-parameter')
      position = skipItem(field, position, ';')
      continue
    }
    position = skip(field, position, `;${WHITE_SPACE}`)
    const nameEnd = until(field, position, `=;,${WHITE_SPACE}`)
    const name = field.slice(position, nameEnd).toLowerCase()
    position = skip(field, nameEnd, WHITE_SPACE)
    if (field[position] !== '=') {
      if (name !== '') parameters.push({ name, value: '' })
      continue
    }
    const value = scanValue(field, skip(field, position + 1, WHITE_SPACE))
    if (value.unterminated) warnings.push('unterminated-quote')
    if (name !== '') parameters.push({ name, value: value.text })
    position = skip(field, value.position, WHITE_SPACE)
  }
  return { parameters, warnings, position }
}

interface ScannedValue {
  readonly text: string
  readonly position: number
  readonly unterminated: boolean
}

function scanValue(field: string, start: number): ScannedValue {
  if (field[start] === '"') return scanQuoted(field, start)
  const position = until(field, start, ';,')
  return { text: field.slice(start, position).trimEnd(), position, unterminated: false }
}

function scanQuoted(field: string, start: number): ScannedValue {
  const pieces: string[] = []
  let pieceStart = start + 1
  for (let index = pieceStart; index < field.length; index++) {
    if (field[index] === '"') {
      pieces.push(field.slice(pieceStart, index))
      return { text: pieces.join(''), position: index + 1, unterminated: false }
    }
    if (field[index] !== '\\') continue
    pieces.push(field.slice(pieceStart, index))
    pieceStart = index + 1
    index++
  }
  pieces.push(field.slice(pieceStart))
  return { text: pieces.join(''), position: field.length, unterminated: true }
}

/** The index of the next comma (or of one of `stops`) outside quoted strings. */
function skipItem(field: string, start: number, stops = ''): number {
  for (let index = start; index < field.length; index++) {
    const character = field[index] ?? ''
    if (character === ',' || stops.includes(character)) return index
    if (character === '"') index = scanQuoted(field, index).position - 1
  }
  return field.length
}

function skip(field: string, start: number, characters: string): number {
  let index = start
  while (index < field.length && characters.includes(field[index] ?? '')) index++
  return index
}

function until(field: string, start: number, characters: string): number {
  let index = start
  while (index < field.length && !characters.includes(field[index] ?? '')) index++
  return index
}
