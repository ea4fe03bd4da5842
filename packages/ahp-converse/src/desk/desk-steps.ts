import type { Operator } from '../server/operators/operator.js'
import type { OperatorInbox } from '../server/operators/operator-inbox.js'
import type { Ticket } from '../server/operators/ticket.js'
import { readOutput } from './output-fields.js'

/** Does what a form asks for; gives what is wrong with the form, or undefined when it is done. Rejects as the inbox does. */
export async function takeStep(
  inbox: OperatorInbox,
  { id, outputSchema }: Ticket,
  step: string,
  { operator, form }: { readonly operator: Operator; readonly form: URLSearchParams },
): Promise<string | undefined> {
  switch (step) {
    case 'claim':
      await inbox.claim(id, { operator })
      return undefined
    case 'release':
      await inbox.release(id, { operator })
      return undefined
    case 'decline': {
      const message = textIn(form, 'message')
      if (message === '') return 'Say why you decline.'
      await inbox.decline(id, { operator, message })
      return undefined
    }
    default: {
      const answer = textIn(form, 'answer')
      if (answer === '') return 'Write what the visitor is told.'
      const read = outputSchema === undefined ? { output: undefined } : readOutput(outputSchema, form)
      if ('problem' in read) return read.problem
      const { output } = read
      await inbox.answer(id, { operator, answer, ...(output === undefined ? {} : { output }) })
      return undefined
    }
  }
}

/** Forms send lines as CR LF. */
function textIn(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replace(/\r\n/g, '\n').trim()
}
