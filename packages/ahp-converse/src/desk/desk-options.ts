import { invalidOption } from '../converse-error.js'
import { checkFunction, checkWhole, isRecord, refuseUnknown } from '../server/check-option.js'
import { checkPath } from '../server/check-path.js'
import { createFaultPrinter } from '../server/observe/fault-printer.js'
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
  /** The site that the desk is a part of: each page leads back to it. Default: none. */
  readonly home?: { readonly title: string; readonly url: string }
  /** A style sheet that counts after the desk's own, to give it the look of the site. Default: none. */
  readonly stylesheetUrl?: string
  /** Where people sign in who have not; the page says so. Default: none. */
  readonly signInUrl?: string
  /** The `WWW-Authenticate` field for people who have not, such as `Basic realm="desk"`. Default: none. */
  readonly challenge?: string
  /** How often an open page looks for news, milliseconds. Default: 5,000. */
  readonly pollMs?: number
  /** Longest form, bytes. Default: 262,144. */
  readonly maxFormBytes?: number
  /** Told of every fault; people see only that there was one. Default: prints a line of it. */
  readonly onError?: (error: unknown) => unknown
}

type Absent = 'home' | 'stylesheetUrl' | 'signInUrl' | 'challenge'

export type DeskSettings = Required<Omit<DeskOptions, Absent>> & {
  readonly [Name in Absent]: DeskOptions[Name] | undefined
}

const MEMBERS: readonly (keyof DeskOptions)[] = [
  'publicUrl',
  'authenticate',
  'path',
  'title',
  'home',
  'stylesheetUrl',
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
  const { publicUrl, authenticate, path = '/desk', title = 'Desk', challenge, onError } = options
  const { home, stylesheetUrl, signInUrl } = options
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
    home: home === undefined ? undefined : homeOf(home, publicUrl),
    stylesheetUrl: stylesheetUrl === undefined ? undefined : sheetAddress(stylesheetUrl, publicUrl),
    signInUrl: signInUrl === undefined ? undefined : webAddress('signInUrl', signInUrl, publicUrl),
    challenge: challenge === undefined ? undefined : fieldValue(challenge),
    pollMs: checkWhole('pollMs', options.pollMs ?? 5000, 500, HOUR_MS),
    maxFormBytes: checkWhole('maxFormBytes', options.maxFormBytes ?? MAX_FORM_BYTES, 1),
    onError: onError ?? printedFaults(),
  }
}

function printedFaults(): DeskSettings['onError'] {
  const print = createFaultPrinter()
  return (error) => {
    print(error, { stage: 'desk' })
  }
}

function originOf(publicUrl: unknown): string {
  const url = typeof publicUrl === 'string' && URL.canParse(publicUrl) ? new URL(publicUrl) : undefined
  if (url === undefined || !isWeb(url) || url.href !== `${url.origin}/`)
    throw invalidOption('publicUrl', 'must be an origin, such as https://books.example, without a path')
  return url.origin
}

function homeOf(home: unknown, base: string): DeskOptions['home'] {
  if (!isRecord(home)) throw invalidOption('home', 'must be { title, url }')
  const { title, url } = home as Readonly<Record<string, unknown>>
  if (typeof title !== 'string' || title === '')
    throw invalidOption('home', 'must have a title that is not empty')
  return { title, url: webAddress('home', url, base) }
}

function webAddress(name: string, address: unknown, base: string): string {
  if (typeof address === 'string' && URL.canParse(address, base) && isWeb(new URL(address, base)))
    return address
  throw invalidOption(name, 'must be a path or an http(s) URL')
}

/** Its origin becomes a part of the policy of the pages, in which the signs that a host name may hold have meanings. */
function sheetAddress(address: unknown, base: string): string {
  const checked = webAddress('stylesheetUrl', address, base)
  if (/^[\w.:[\]-]+$/.test(new URL(checked, base).host)) return checked
  throw invalidOption('stylesheetUrl', 'must be on a host of letters, digits, dots and hyphens')
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:'
}

function fieldValue(value: unknown): string {
  if (typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)) return value
  throw invalidOption('challenge', 'must be the value of a header field')
}
