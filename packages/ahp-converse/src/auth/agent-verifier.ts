import { createPublicKey, type JsonWebKey, type KeyObject, verify as verifySignature } from 'node:crypto'
import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import { HTTP_MESSAGE_SIGNATURES_DIRECTORY, jwkToKeyID, type VerificationParams, verify } from 'web-bot-auth'
import { helpers } from 'web-bot-auth/crypto'
import { invalidOption } from '../converse-error.js'
import type { IdentifyAgent, SignedRequest } from '../server/identify-agent.js'
import { wholeOption } from '../server/state-options.js'

/** Options of `createAgentVerifier`. */
export interface AgentVerifierOptions {
  /**
   * Origins of the agents that the site knows, such as `https://agent.example`: what `Signature-Agent` names. Others count as
   * unsigned, because whoever has a domain could have as many names, and limits, as it likes.
   */
  readonly agents: readonly string[]
  /** How long keys of an agent are believed, milliseconds. Default: 3,600,000 (an hour). */
  readonly keysMaxAgeMs?: number
  /** Fetches directories of keys. Default: one of `@doorplate/safe-fetch`. */
  readonly request?: SafeFetch['request']
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
}

/** Keys by their ids. */
type Keys = ReadonlyMap<string, KeyObject>

interface KnownKeys {
  readonly keys: Promise<Keys>
  /** When they are fetched again. */
  readonly until: number
}

const MAX_KEYS = 16
const MAX_DIRECTORY_BYTES = 65_536
const DIRECTORY_TIMEOUT_MS = 5000
/** How long a directory that could not be had, or that lacked a key, is left alone. */
const PAUSE_MS = 60_000
const MAX_SKEW_MS = 60_000
/** The longest that a signature may be valid. */
const MAX_LIFETIME_MS = 86_400_000

/**
 * Tells which known agent signed a request (Web Bot Auth: RFC 9421 with the tag `web-bot-auth`), by the package
 * `web-bot-auth`. The signature must cover the authority, which is this site, and the agent's name. Until it expires, whoever
 * has seen it can send it again: it tells who asks, and is no right to anything.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function createAgentVerifier(options: AgentVerifierOptions): IdentifyAgent {
  const { now = Date.now } = options
  const agents = new Set(readOrigins(options.agents))
  const keysMaxAgeMs = wholeOption('keysMaxAgeMs', options.keysMaxAgeMs, 3_600_000)
  const request = options.request ?? createSafeFetch({ timeoutMs: DIRECTORY_TIMEOUT_MS }).request
  const directories = new Map<string, KnownKeys>()

  return async function identifyAgent(signed) {
    const agent = agentIn(signed)
    if (agent === undefined || !agents.has(agent)) return null
    try {
      await verify(messageOf(signed), (base, signature, params) => check(agent, base, signature, params))
      return { id: agent }
    } catch (error) {
      // The library throws plain errors for whatever is wrong with a signature; nothing of ours is among them.
      if (error instanceof Error) return null
      throw error
    }
  }

  async function check(
    agent: string,
    base: string,
    signature: Uint8Array,
    { keyid, tag, created, expires }: Partial<VerificationParams>,
  ): Promise<void> {
    const time = now()
    const isTimely =
      created instanceof Date &&
      expires instanceof Date &&
      created.getTime() <= time + MAX_SKEW_MS &&
      expires.getTime() > time &&
      expires.getTime() - created.getTime() <= MAX_LIFETIME_MS
    const isBound = /^"@authority": /m.test(base) && /^"signature-agent": /m.test(base)
    if (!isTimely || !isBound || tag !== 'web-bot-auth' || typeof keyid !== 'string')
      throw new Error('The signature is not one of Web Bot Auth for this site and time.')
    const key = (await keysOf(agent, time)).get(keyid)
    if (key === undefined || !verifySignature(null, Buffer.from(base), key, signature))
      throw new Error('The signature is not the agent’s.')
  }

  function keysOf(agent: string, time: number): Promise<Keys> {
    const known = directories.get(agent)
    if (known !== undefined && time < known.until) return known.keys
    const keys = fetchKeys(agent).catch((error: unknown) => {
      directories.set(agent, { keys: Promise.resolve(new Map()), until: time + PAUSE_MS })
      throw error
    })
    directories.set(agent, { keys, until: time + keysMaxAgeMs })
    return keys
  }

  async function fetchKeys(agent: string): Promise<Keys> {
    const { status, body } = await request(agent + HTTP_MESSAGE_SIGNATURES_DIRECTORY, {
      redirect: 'error',
      maxResponseBytes: MAX_DIRECTORY_BYTES,
    })
    if (status !== 200) throw new Error(`The directory of the agent answered ${status}.`)
    const { keys } = JSON.parse(new TextDecoder().decode(body)) as { readonly keys?: unknown }
    const listed: readonly unknown[] = Array.isArray(keys) ? keys.slice(0, MAX_KEYS) : []
    return new Map(await Promise.all(listed.filter(isEd25519).map(readKey)))
  }
}

async function readKey({ kty, crv, x }: JsonWebKey): Promise<readonly [string, KeyObject]> {
  const key = { kty, crv, x } as JsonWebKey
  const id = await jwkToKeyID(key, helpers.WEBCRYPTO_SHA256, helpers.BASE64URL_DECODE)
  return [id, createPublicKey({ key, format: 'jwk' })]
}

function isEd25519(key: unknown): key is JsonWebKey {
  const { kty, crv, x } = (key ?? {}) as Partial<JsonWebKey>
  return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string'
}

/** The origin in `Signature-Agent`, a string of RFC 9651. */
function agentIn({ header }: SignedRequest): string | undefined {
  const url = /^"(https:\/\/[\x21\x23-\x5b\x5d-\x7e]+)"$/.exec(header('signature-agent')?.trim() ?? '')?.[1]
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined
}

function messageOf({ method, url, header }: SignedRequest): Parameters<typeof verify>[0] {
  return { method, url, headers: { get: header } as unknown as Headers }
}

function readOrigins(agents: readonly string[]): readonly string[] {
  if (!Array.isArray(agents)) throw invalidOption('agents', 'must be a list of origins')
  return (agents as readonly string[]).map((agent, index) => {
    if (typeof (agent as unknown) === 'string' && URL.canParse(agent) && new URL(agent).protocol === 'https:')
      return new URL(agent).origin
    throw invalidOption(`agents[${index}]`, 'must be an https origin')
  })
}
