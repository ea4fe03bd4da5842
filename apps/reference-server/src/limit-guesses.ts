import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authenticate } from '@doorplate/ahp-converse/desk'
import { addressNetwork } from './address-network.js'
import type { AttemptCounter, Rate } from './counted-attempts.js'
import { tooManyAttempts } from './pages/problems.js'
import type { AddressReader } from './site-env.js'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

export interface GuessLimits {
  readonly authenticate: Authenticate
  /** Wrong passwords that one address may try. */
  readonly rate: Rate
  readonly attempts: AttemptCounter
  readonly readAddress: AddressReader
  /** Told of a fault, which is answered 500. */
  readonly onError: (error: unknown) => void
}

/**
 * Keeps a password from being guessed: an address that has tried too many wrong ones is not listened to for a while, not even
 * with the right one. Others are.
 */
export function limitGuesses(answer: Listener, limits: GuessLimits): Listener {
  async function answerGuess(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { areTooMany, retryAfterSeconds } = await attempted(request)
    if (!areTooMany) answer(request, response)
    else await send(tooManyAttempts(retryAfterSeconds), response)
  }

  /** Looked up after the check: however many are tried at once, no more of them are told apart than the rate allows. */
  async function attempted(request: IncomingMessage): ReturnType<AttemptCounter['add']> {
    const key = `desk|${addressNetwork(limits.readAddress(request))}`
    const isRight = (await limits.authenticate(deskRequest(request))) !== null
    return isRight ? limits.attempts.peek(key, limits.rate) : limits.attempts.add(key, limits.rate)
  }

  return (request, response) => {
    if (request.headers.authorization === undefined) answer(request, response)
    else
      void answerGuess(request, response).catch((error: unknown) => {
        limits.onError(error)
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
  }
}

function deskRequest({
  method = '',
  url = '',
  headers,
  socket,
}: IncomingMessage): Parameters<Authenticate>[0] {
  return {
    ...{ method, target: url, remoteAddress: socket.remoteAddress, signal: new AbortController().signal },
    header: (name) => headers[name]?.toString() ?? null,
  }
}

async function send(page: Response, response: ServerResponse): Promise<void> {
  response.writeHead(page.status, Object.fromEntries(page.headers)).end(await page.text())
}
