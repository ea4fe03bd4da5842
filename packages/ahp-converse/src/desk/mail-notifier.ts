import { invalidOption } from '../converse-error.js'
import { cutText } from '../cut-text.js'
import type { Notify } from '../server/operators/inbox-options.js'
import { firstLine, plainText } from './plain-text.js'

/** What sends mail; a transporter of Nodemailer is one. */
export interface MailTransport {
  sendMail(message: {
    readonly from: string
    readonly to: string
    readonly subject: string
    readonly text: string
  }): Promise<unknown>
}

/** Options of `createMailNotifier`. */
export interface MailNotifierOptions {
  readonly from: string
  readonly to: string
  /** Where the desk is, for the link. Default: none. */
  readonly deskUrl?: string
}

const MAX_SUBJECT_LENGTH = 80
const MAX_QUERY_LENGTH = 1000

/** Mails that a question waits: as plain text, what the stranger wrote quoted. @throws {ConverseError} `invalid_option` */
export function createMailNotifier(
  transport: MailTransport,
  { from, to, deskUrl }: MailNotifierOptions,
): Notify {
  for (const [option, address] of Object.entries({ from, to }))
    if (typeof (address as unknown) !== 'string' || address === '' || /[\r\n]/.test(address))
      throw invalidOption(option, 'must be an address')

  return ({ id, turn, expiresAt }) => {
    const query = plainText(turn.query)
    const beginning = cutText(query, MAX_QUERY_LENGTH)
    const lines = [
      `A question to ${turn.capability} waits for a person. It ends ${new Date(expiresAt).toISOString()}.`,
      '',
      ...beginning.split('\n').map((line) => `> ${line}`),
      ...(deskUrl === undefined ? [] : ['', `Answer it: ${deskUrl}/tickets/${id}`]),
      '',
    ]
    const subject = `A question waits: ${firstLine(turn.query, MAX_SUBJECT_LENGTH)}`
    return transport.sendMail({ from, to, subject, text: lines.join('\n') })
  }
}
