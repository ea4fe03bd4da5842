import type {
  AcceptedResponse,
  ClarificationResponse,
  ConverseResponse,
  SuccessResponse,
} from '@doorplate/ahp-manifest/messages'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** A response of the concierge as the result of a tool: first what there is to read, and the response itself beside it. */
export function toolResult(response: ConverseResponse, publicUrl: string): CallToolResult {
  return {
    content: textsOf(response, publicUrl).map((text) => ({ type: 'text', text })),
    structuredContent: { ...response },
    ...(isError(response) ? { isError: true } : {}),
  }
}

function isError({ status }: ConverseResponse): boolean {
  return status === 'error' || status === 'failed' || status === 'expired'
}

function textsOf(response: ConverseResponse, publicUrl: string): readonly string[] {
  switch (response.status) {
    case 'success':
      return [response.response.answer, ...asideOf(response)]
    case 'clarification_needed':
      return [response.clarification.question, howToReply(response)]
    case 'accepted':
      return [receiptOf(response, publicUrl)]
    case 'pending':
      return ['The answer is not there yet.']
    case 'failed':
    case 'expired':
    case 'error':
      return [response.message ?? `The request has ${response.status}.`]
  }
}

/** What clients need that show a model nothing but text: the data, the sources, and how to go on. */
function asideOf({ session_id: session, response }: SuccessResponse): readonly string[] {
  const sources = (response.sources ?? []).map(({ title, url }) =>
    title === undefined ? `- ${url}` : `- ${title}: ${url}`,
  )
  const lines = [
    ...(response.payload === undefined ? [] : [JSON.stringify(response.payload)]),
    ...(sources.length === 0 ? [] : ['Sources:', ...sources]),
    ...(typeof session === 'string' ? [`session_id: ${session}`] : []),
  ]
  return lines.length === 0 ? [] : [lines.join('\n')]
}

function howToReply({ session_id: session, clarification }: ClarificationResponse): string {
  const { options, free_form: isFree = false } = clarification
  const reply = isFree ? 'the reply' : 'one of these, as it is written,'
  return [
    ...(options ?? []).map((option) => `- ${option}`),
    `Ask the user, then call this tool again with session_id "${session}" and ${reply} as clarification.`,
  ].join('\n')
}

function receiptOf({ poll, eta_seconds: eta }: AcceptedResponse, publicUrl: string): string {
  const when = typeof eta === 'number' ? ` in about ${eta} s` : ''
  return `Accepted. The answer will be there${when}: read the resource ${new URL(poll, publicUrl).href}`
}
