import { isIP } from 'node:net'

interface Answer {
  readonly address: string
  readonly family: number
}

type LookupCallback = (error: Error | null, address: string | Answer[], family?: number) => void

/** A resolver with the shape of `dns.lookup`. */
export interface ScriptedLookup {
  (hostname: string, options: object, callback: LookupCallback): void
  /** Every name asked for, in order. */
  readonly asked: readonly string[]
}

/**
 * Answers names from a script. A list is one answer of several addresses; a list of lists is one answer after the
 * other, the last for good. A name that is not in the script does not exist.
 */
export function scriptedLookup(
  script: Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>,
): ScriptedLookup {
  const asked: string[] = []
  const lookup = (hostname: string, options: object, callback: LookupCallback): void => {
    const round = asked.filter((name) => name === hostname).length
    asked.push(hostname)
    const addresses = Object.hasOwn(script, hostname) ? answerOf(script[hostname] ?? [], round) : null
    setImmediate(() => {
      if (addresses === null) callback(notFound(hostname), [])
      else answer(addresses, options, callback)
    })
  }
  return Object.assign(lookup, { asked })
}

function answerOf(
  answers: readonly string[] | readonly (readonly string[])[],
  round: number,
): readonly string[] {
  const current = answers[0] instanceof Array ? (answers[Math.min(round, answers.length - 1)] ?? []) : answers
  return current as readonly string[]
}

function answer(addresses: readonly string[], options: object, callback: LookupCallback): void {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  if ('all' in options && options.all === true) callback(null, answers)
  else callback(null, answers[0]?.address ?? '', answers[0]?.family)
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
    hostname,
  })
}
