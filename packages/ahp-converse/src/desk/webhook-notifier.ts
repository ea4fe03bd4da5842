import { Webhook } from 'standardwebhooks'
import { ConverseError, invalidOption } from '../converse-error.js'
import type { CallbackTransport } from '../server/callbacks/callback-options.js'
import type { Notify } from '../server/operators/inbox-options.js'

/** Options of `createWebhookNotifier`. */
export interface WebhookNotifierOptions {
  /** As Standard Webhooks writes it: `whsec_` and Base64. */
  readonly secret: string
  /** How it is posted; `createCallbackTransport` of `./node` makes one, with `dangerouslyAllow` for hosts of your own network. */
  readonly transport: Pick<CallbackTransport, 'post'>
  /** Where the desk is, for the link. Default: none. */
  readonly deskUrl?: string
  /** Clock, milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number
}

/**
 * Posts that a question waits, signed by Standard Webhooks: `{type: 'question.waiting', timestamp, data: {id, capability,
 * query, waits_since, expires_at, url?}}`. The id of the message is the same in every attempt, and another when the question waits anew. `query` is a stranger's.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function createWebhookNotifier(
  url: string,
  { secret, transport, deskUrl, now = Date.now }: WebhookNotifierOptions,
): Notify {
  if (!URL.canParse(url)) throw invalidOption('url', 'must be a URL')
  const key = keyOf(secret)

  return async function notify({ id, turn, waitsSince, expiresAt }, { signal }) {
    const time = new Date(now())
    const messageId = `msg_${id}_${waitsSince}`
    const body = JSON.stringify({
      type: 'question.waiting',
      timestamp: time.toISOString(),
      data: {
        id,
        capability: turn.capability,
        query: turn.query,
        waits_since: new Date(waitsSince).toISOString(),
        expires_at: new Date(expiresAt).toISOString(),
        ...(deskUrl === undefined ? {} : { url: `${deskUrl}/tickets/${id}` }),
      },
    })
    const { status } = await transport.post(url, {
      headers: {
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
        'webhook-signature': key.sign(messageId, time, body),
      },
      body,
      signal,
    })
    if (status < 200 || status > 299)
      throw new ConverseError('callback_failed', `The receiver of a notice answered ${status}.`, { status })
  }
}

function keyOf(secret: string): Webhook {
  try {
    return new Webhook(secret)
  } catch {
    throw invalidOption('secret', 'must be a secret as Standard Webhooks writes it')
  }
}
