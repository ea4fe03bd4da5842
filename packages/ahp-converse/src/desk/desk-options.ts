import { invalidOption } from '../converse-error.js'
import { checkFunction, checkWhole, isRecord, refuseUnknown } from '../server/check-option.js'
import { checkPath } from '../server/check-path.js'
import type { Operator } from '../server/operators/operator.js'
import type { DeskRequest } from './desk-request.js'

/** Tells which operator makes a request, by the site's own cookie or credential; null for nobody. */
export type Authenticate = (request: DeskRequest) => Operator | null | Promise<Operator | null>

/** Options of `createDesk`. */
export interface DeskOptions {
  /** The public origin of the site. Forms are taken from its pages alone. */
  readonly publicUrl: string
  readonly authenticate: Authenticate
  /** Where the desk is on that origin. Default: `/desk`. */
  readonly path?: string
  /** What the pages are called. Default: `Desk`. */
  readonly title?: string
  /** Where people sign in who have not; the page says so. Default: none. */
  readonly signInUrl?: string
  /** The `WWW-Authenticate` field for people who have not, such as `Basic realm="desk"`. Default: none. */
  readonly challenge?: string
  /** How often an open page looks for news, milliseconds. Default: 5,000. */
  readonly pollMs?: number
  /** Longest form, bytes. Default: 262,144. */
  readonly maxFormBytes?: number
  /** Told of every fault; people see only that there was one. */
  readonly onError?: (error: unknown) => unknown
}

export interface DeskSettings extends Required<Omit<DeskOptions, 'signInUrl' | 'challenge' | 'onError'>> {
  readonly signInUrl: string | undefined
  readonly challenge: string | undefined
  readonly onError: DeskOptions['onError']
}

const MEMBERS: readonly (keyof DeskOptions)[] = [
  'publicUrl',
  'authenticate',
  'path',
  'title',
  'signInUrl',
  'challenge',
  'pollMs',
  'maxFormBytes',
  'onError',
]
/** A form of an answer of the greatest length that the protocol lets a visitor ask for. */
const MAX_FORM_BYTES = 262_144
const HOUR_MS = 3_600_000

/** @throws {ConverseError} `invalid_option` */
export function readDeskOptions(options: DeskOptions): DeskSettings {
  if (!isRecord(options)) throw invalidOption('options', 'must be an object')
  refuseUnknown(options, MEMBERS)
  const { publicUrl, authenticate, path = '/desk', title = 'Desk', signInUrl, challenge, onError } = options
  if (typeof (authenticate as unknown) !== 'function')
    throw invalidOption('authenticate', 'must be a function')
  checkFunction('onError', onError)
  if (typeof title !== 'string' || title === '')
    throw invalidOption('title', 'must be a string that is not empty')
  if (checkPath('path', path).endsWith('/')) throw invalidOption('path', 'must not end with a slash')
  return {
    publicUrl: originOf(publicUrl),
    authenticate,
    path,
    title,
    signInUrl: signInUrl === undefined ? undefined : webAddress(signInUrl, publicUrl),
    challenge: challenge === undefined ? undefined : fieldValue(challenge),
    pollMs: checkWhole('pollMs', options.pollMs ?? 5000, 500, HOUR_MS),
    maxFormBytes: checkWhole('maxFormBytes', options.maxFormBytes ?? MAX_FORM_BYTES, 1),
    onError,
  }
}

function originOf(publicUrl: unknown): string {
  const url = typeof publicUrl === 'string' && URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  if (url === undefined || !isWeb(url) || url.href !== `${url.origin}/`)
    throw invalidOption('publicUrl', 'must be an origin, such as https://books.example, without a path')
  return url.origin
}

function webAddress(address: unknown, base: string): string {
  if (typeof address === 'string' && URL.canParse(address, base) && isWeb(new URL(address, base)))
    return address
  throw invalidOption('signInUrl', 'must be a path or an http(s) URL')
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:'
}

function fieldValue(value: unknown): string {
  if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)) return value
  throw invalidOption('challenge', 'must be the value of a header field')
}
