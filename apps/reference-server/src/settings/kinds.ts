import { WrongValue, type Setting, type SettingText } from './setting.js'

/** So many requests in a period: `30/minute`. */
export type Rate = `${number}/${'second' | 'minute' | 'hour' | 'day'}`

interface Range {
  readonly min: number
  readonly max: number
}

/** A whole number of `unit`. */
export function whole(
  byDefault: number,
  { what, unit, min, max }: SettingText & Range & { readonly unit: string },
): Setting<number> {
  const read = (given: unknown): number | WrongValue => {
    const number = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : given
    if (Number.isSafeInteger(number) && (number as number) >= min && (number as number) <= max)
      return number as number
    return wrong(`a whole number from ${String(min)} to ${String(max)}`, given)
  }
  return { what, unit, byDefault, defaultText: String(byDefault), isSecret: false, read }
}

export function rate(byDefault: Rate, { what }: SettingText): Setting<Rate> {
  const read = (given: unknown): Rate | WrongValue =>
    typeof given === 'string' && /^[1-9]\d{0,8}\/(second|minute|hour|day)$/.test(given)
      ? (given as Rate)
      : wrong('a rate such as 30/minute', given)
  return { what, byDefault, defaultText: byDefault, isSecret: false, read }
}

export function oneOf<Value extends string>(
  values: readonly Value[],
  byDefault: Value,
  { what, defaultText = byDefault }: SettingText,
): Setting<Value> {
  const read = (given: unknown): Value | WrongValue =>
    values.find((value) => value === given) ?? wrong(`one of ${values.join(', ')}`, given)
  return { what: `${what}: ${values.join(', ')}`, byDefault, defaultText, isSecret: false, read }
}

/** A text that `accept` takes, or turns into another; `example` says what it looks like. */
export function text<Default extends string | undefined>(
  byDefault: Default,
  { what, defaultText, example, accept }: TextOptions,
): Setting<string | Default> {
  const read = (given: unknown): string | WrongValue =>
    (typeof given === 'string' ? accept(given) : undefined) ?? wrong(example, given)
  return { what, byDefault, defaultText: defaultText ?? byDefault ?? 'none', isSecret: false, read }
}

/** As `text`, and it is never repeated: it may be a secret, or hold one. */
export function secret(options: TextOptions & { readonly isFlag?: boolean }): Setting<string | undefined> {
  const { what, defaultText = 'none', example, accept } = options
  const read = (given: unknown): string | WrongValue =>
    (typeof given === 'string' ? accept(given) : undefined) ?? new WrongValue(`must be ${example}`)
  return { what, byDefault: undefined, defaultText, isSecret: options.isFlag !== true, read }
}

interface TextOptions extends SettingText {
  readonly example: string
  readonly accept: (given: string) => string | undefined
}

/** Texts with commas between them, or a list of texts; each must match. */
export function list({
  what,
  byDefault = [],
  example,
  accept,
}: TextOptions & { readonly byDefault?: readonly string[] }): Setting<readonly string[]> {
  const read = (given: unknown): readonly string[] | WrongValue => {
    const texts: unknown = typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given
    const taken = Array.isArray(texts)
      ? texts.map((one: unknown) =>
          ['string', 'number'].includes(typeof one) ? accept(String(one)) : undefined,
        )
      : [undefined]
    const known = taken.filter((one) => one !== undefined)
    return known.length === taken.length ? known : wrong(`a list such as ${example}`, given)
  }
  return { what, byDefault, defaultText: byDefault.join() || 'none', isSecret: false, read }
}

function wrong(expected: string, given: unknown): WrongValue {
  return new WrongValue(`must be ${expected}, not ${shown(given)}`)
}

const MAX_SHOWN = 60

function shown(given: unknown): string {
  const json = JSON.stringify(given)
  return json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json
}
