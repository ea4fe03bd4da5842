import { cleanText } from '../text/untrusted-text.js'

/** What a publisher allows by a `Content-Signal` line. What is not named is not decided. */
export interface ContentSignal {
  readonly search?: boolean
  readonly 'ai-input'?: boolean
  readonly 'ai-train'?: boolean
  /** Signals with other names, as written: no error. */
  readonly other?: Readonly<Record<string, string>>
}

export interface ParsedContentSignal {
  readonly signal: ContentSignal
  /** Pieces that are not understood, as written. */
  readonly malformed: readonly string[]
}

const SIGNALS: ReadonlySet<string> = new Set(['search', 'ai-input', 'ai-train'])
const MAX_PIECES = 32
const MAX_PIECE_LENGTH = 200

/** Parses the value of a `Content-Signal` line (contentsignals.org), e.g. `search=yes, ai-train=no`. */
export function parseContentSignal(value: string): ParsedContentSignal {
  const signal: { search?: boolean; 'ai-input'?: boolean; 'ai-train'?: boolean } = {}
  const other = new Map<string, string>()
  const malformed: string[] = []
  for (const piece of value.split(/[,;]/, MAX_PIECES).map((text) => text.trim())) {
    if (piece === '') continue
    const [name, answer] = piece.length > MAX_PIECE_LENGTH ? ['', ''] : parts(piece.toLowerCase())
    if (name === '' || answer === '') malformed.push(cleanText(piece, 80))
    else if (!SIGNALS.has(name)) other.set(cleanText(name, 40), cleanText(answer, 40))
    else if (answer === 'yes' || answer === 'no') signal[name as keyof typeof signal] ??= answer === 'yes'
    else malformed.push(cleanText(piece, 80))
  }
  // fromEntries defines members: a name such as `__proto__` stays a name.
  return { signal: other.size === 0 ? signal : { ...signal, other: Object.fromEntries(other) }, malformed }
}

/** Name and answer, parted at the first `=`. */
function parts(piece: string): readonly [name: string, answer: string] {
  const [name = ''] = piece.split('=', 1)
  return [name.trimEnd(), piece.slice(name.length + 1).trimStart()]
}
