import { invalidOption } from '../../converse-error.js'

/** A person who answers for the site, as the site knows it. */
export interface Operator {
  /** Stable and unique within the site. At most 256 characters. */
  readonly id: string
  /** What colleagues call it; at most 256 characters. Default: the id. */
  readonly name?: string
}

const MAX_LENGTH = 256

/** @throws {ConverseError} `invalid_option` */
export function checkOperator({ id, name }: Operator): Operator {
  if (!isName(id)) throw invalidOption('operator.id', `must be a string of 1 to ${MAX_LENGTH} characters`)
  if (name === undefined) return { id }
  if (!isName(name)) throw invalidOption('operator.name', `must be a string of 1 to ${MAX_LENGTH} characters`)
  return { id, name }
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_LENGTH
}
