import { invalidOption } from '../converse-error.js'
import { checkNames, checkSignal, textsOption } from './check-option.js'
import type { QuestionOptions } from './reply.js'

const ASK_OPTIONS = [
  'acceptTypes',
  'input',
  'intent',
  'locale',
  'maxTokens',
  'callback',
  'idempotencyKey',
  'signal',
] satisfies readonly (keyof QuestionOptions)[]

/** Throws `invalid_option`; what the protocol says of the values is checked with the request. */
export function checkAskOptions(query: string, options: QuestionOptions): void {
  checkNames(options, ASK_OPTIONS)
  checkSignal(options.signal)
  if (typeof query !== 'string') throw invalidOption('query', 'must be a text')
  if (options.acceptTypes) textsOption('acceptTypes', options.acceptTypes)
  const { idempotencyKey: key } = options
  if (key !== undefined && !(typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)))
    throw invalidOption('idempotencyKey', 'must be 1 to 255 visible ASCII characters')
}
