import { cleanText } from '../untrusted-text.js'

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

/** Parses the value of a `Content-Signal` line (contentsignals.org), e.g. `search=yes, ai-train=no`. */
export function parseContentSignal(value: string): ParsedContentSignal {
  const signal: { search?: boolean; 'ai-input'?: boolean; 'ai-train'?: boolean } = {}
  const other = new Map<string, string>()
  const malformed: string[] = []
  for (const piece of value.split(/[,;]/, MAX_PIECES).map((text) => text.trim())) {
    if (piece === '') continue
    const [name = '', answer] = piece.toLowerCase().split(/\s*=\s*/)
    if (!SIGNALS.has(name) && answer) other.set(cleanText(name, 40), cleanText(answer, 40))
    else if (answer === 'yes' || answer === 'no') signal[name as keyof typeof signal] ??= answer === 'yes'
    else malformed.push(cleanText(piece, 80))
  }
  // fromEntries defines members: a name such as `__proto__` stays a name.
  return { signal: other.size === 0 ? signal : { ...signal, other: Object.fromEntries(other) }, malformed }
}
