import type { Capability } from '@doorplate/ahp-manifest'

/** Members of a flat request that mean the same in a request to the concierge. */
const OWN: readonly string[] = ['query', 'session_id', 'clarification', 'context', 'input', 'arguments']
const NO_INPUT: readonly string[] = ['ahp', 'capability', 'auth', ...OWN]

export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * A request as other protocols write it, `{query, session_id, ...}` with structured input among the members, as a request to
 * the concierge. A member that the input schema of the capability declares is input, whatever its name.
 */
export function fromFlatRequest(
  { name, input_schema: schema }: Pick<Capability, 'name' | 'input_schema'>,
  flat: unknown,
): unknown {
  if (typeof flat !== 'object' || flat === null || Array.isArray(flat)) return flat
  const declared = propertiesOf(schema)
  const members = Object.entries(flat)
  const own = members.filter(([member]) => OWN.includes(member))
  const input = members.filter(([member]) => Object.hasOwn(declared, member) || !NO_INPUT.includes(member))
  return {
    ahp: '0.1',
    capability: name,
    ...Object.fromEntries(own),
    ...(input.length > 0 ? { input: Object.fromEntries(input) } : {}),
  }
}

/** What `fromFlatRequest` reads, with further members as `more`. */
export function flatRequestSchema(
  { input_schema: schema }: Capability,
  { optionalText, more = {} }: { optionalText: unknown; more?: JsonSchema },
): JsonSchema {
  const required: unknown = schema?.['required']
  return {
    ...schema,
    type: 'object',
    properties: {
      ...propertiesOf(schema),
      query: {
        type: 'string',
        minLength: 1,
        maxLength: 4096,
        description: 'The question or request, in natural language.',
      },
      session_id: {
        type: optionalText,
        maxLength: 128,
        description: 'The session_id of the last answer, to go on with that conversation.',
      },
      clarification: {
        type: optionalText,
        maxLength: 1024,
        description: 'The reply to the question that the last answer asked; needs its session_id.',
      },
      ...more,
    },
    required: [...new Set(['query', ...(Array.isArray(required) ? (required as string[]) : [])])],
  }
}

function propertiesOf(schema: Capability['input_schema']): JsonSchema {
  const properties: unknown = schema?.['properties']
  return typeof properties === 'object' && properties !== null ? (properties as JsonSchema) : {}
}
