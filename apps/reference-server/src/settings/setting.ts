/** One thing that can be set: as `--read-limit`, as `READ_LIMIT` in the environment, or as `readLimit` in a file. */
export interface Setting<Value> {
  /** What it is, in a few words. */
  readonly what: string
  /** What the number counts. */
  readonly unit?: string
  readonly byDefault: Value
  /** How the help shows the default. */
  readonly defaultText: string
  /** Whether it must not be seen: it is then never repeated, and cannot be given on the command line, which others can read. */
  readonly isSecret: boolean
  /** The value that was given, a text or what JSON has; a `WrongValue` where it is none. */
  readonly read: (given: unknown) => Value | WrongValue
}

/** Why a value cannot be taken, as the end of a sentence: `must be …`. */
export class WrongValue {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

export interface SettingText {
  readonly what: string
  /** Default: as the value is. */
  readonly defaultText?: string
}

/** `readLimit` as it is called in the environment: `READ_LIMIT`. */
export function variableOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** `readLimit` as it is called on the command line: `--read-limit`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
