import type { Capability } from '@doorplate/ahp-manifest'
import type { Tool } from '@modelcontextprotocol/server'
import { flatRequestSchema } from '../server/flat-request.js'

/** What MODE3 may also be told; the rest of a request's context is of no use to a tool. */
const INTENT = {
  context: {
    type: 'object',
    properties: {
      user_intent: { type: 'string', maxLength: 256, description: 'What the user wants to achieve.' },
    },
  },
}

/** The capability as a tool: its name, its description, and its input beside `query`. */
export function toolOf(capability: Capability): Tool {
  const { name, description, mode, action_type: actionType } = capability
  const isReading = mode !== 'MODE3' || actionType === 'query'
  return {
    name,
    description,
    inputSchema: flatRequestSchema(capability, {
      optionalText: 'string',
      ...(mode === 'MODE3' ? { more: INTENT } : {}),
    }) as Tool['inputSchema'],
    annotations: { readOnlyHint: isReading, openWorldHint: false },
  }
}
