/** Independent signs that a text addresses an agent with orders instead of describing a preference. */
const SIGNALS: readonly RegExp[] = [
  /\b(?:ignore|forget|override)\b[^.]{0,40}\b(?:previous|prior|above|earlier|other)\b[^.]{0,40}\b(?:instruction|prompt|rule|direction)/i,
  /\byou\s{1,8}(?:must|shall|have to)\s{1,8}(?:always|never|only)\b/i,
  /(?:^|[\s"'<[])(?:system|assistant|developer)\s{0,4}(?:prompt\s{0,4})?[:>\]]/i,
  /\b(?:disregard|bypass|violate)\b[^.]{0,40}\b(?:polic|guideline|safety|restriction|rule)/i,
  /\b(?:act|behave|respond|pretend)\s{1,8}(?:as\s{1,8}if|as\s{1,8}though|to\s{1,8}be)\b/i,
]

/** One phrase may be innocent; two independent ones are reported. */
const SUSPICIOUS_SIGNALS = 2

/** True when `text` reads like instructions to an agent rather than guidance about the content. */
export function looksLikeInstructions(text: string): boolean {
  return SIGNALS.filter((signal) => signal.test(text)).length >= SUSPICIOUS_SIGNALS
}
