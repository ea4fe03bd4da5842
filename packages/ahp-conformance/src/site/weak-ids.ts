/**
 * Why ids that were given out one after the other can be guessed, as far as they show it; undefined where they do not. What
 * looks like chance may be a digest of a counter: that is not seen.
 */
export function weaknessOf(ids: readonly string[]): string | undefined {
  if (ids.length < 2) return undefined
  if (new Set(ids).size < ids.length) return 'Two new sessions have one id.'
  if (isCounted(ids)) return `Ids are counted: ${shown(ids)}.`
  const bits = Math.floor(varyingBits(ids))
  if (bits >= MIN_BITS - BITS_BY_CHANCE) return undefined
  return `Ids differ in places that hold ${bits} bits at most, expected ${MIN_BITS}: ${shown(ids)}.`
}

/** Fewer can be tried out (OWASP Session Management Cheat Sheet, "Session ID Entropy"). */
const MIN_BITS = 64
/** Places that show the same in all ids by chance. */
const BITS_BY_CHANCE = 8

/** Whether each id is the one before and a little more, or less, in any of the ways that numbers are written. */
function isCounted(ids: readonly string[]): boolean {
  return BASES.some(([base, digits]) => {
    const frames = new Set(ids.map((id) => id.replace(digits, '#')))
    const numbers = ids.map((id) => numberIn(id, base))
    const steps = numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0n))
    const isUp = steps.every((step) => step > 0n && step < MAX_STEP)
    const isDown = steps.every((step) => step < 0n && step > -MAX_STEP)
    return frames.size === 1 && (isUp || isDown)
  })
}

const BASES: readonly (readonly [bigint, RegExp])[] = [
  [10n, /\d+/g],
  [16n, /[\da-f]+/gi],
  [36n, /[\da-z]+/gi],
]

/** Others open sessions in between. */
const MAX_STEP = 2n ** 20n

/** All digits of an id as one number; what is no digit in this base is left out. */
function numberIn(id: string, base: bigint): bigint {
  let number = 0n
  for (const character of id.slice(0, MAX_LENGTH).toLowerCase()) {
    const digit = DIGITS.indexOf(character)
    if (digit >= 0 && BigInt(digit) < base) number = number * base + BigInt(digit)
  }
  return number
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** What is longer is more than an id has (specification, "Request"). */
const MAX_LENGTH = 128

/** What the places hold in which the ids differ, by the characters that are seen there. */
function varyingBits(ids: readonly string[]): number {
  const places = Array.from({ length: MAX_LENGTH }, (_, place) => new Set(ids.map((id) => id[place] ?? '')))
  const varying = places.filter((seen) => seen.size > 1)
  const seen = varying.flatMap((characters) => [...characters]).join('')
  const alphabet = ALPHABETS.find(([form]) => form.test(seen))?.[1] ?? 94
  return varying.length * Math.log2(alphabet)
}

const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^\d*$/, 10],
  [/^[\da-f]*$/i, 16],
  [/^[\da-z]*$/, 36],
  [/^[\dA-Z]*$/, 36],
  [/^[\w+/=.-]*$/, 64],
]

function shown(ids: readonly string[]): string {
  return ids
    .slice(0, 3)
    .map((id) => JSON.stringify(id))
    .join(', ')
}
