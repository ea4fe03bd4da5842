import type { Capability, Manifest } from '@doorplate/ahp-manifest'
import { MESSAGE_SCHEMAS } from '../generated/message-schemas.js'
import { flatRequestSchema, type JsonSchema } from '../server/flat-request.js'

/** An OpenAPI 3.1 object. */
type Described = Readonly<Record<string, unknown>>

export interface SiteFacts {
  readonly manifest: Readonly<Manifest>
  readonly publicUrl: string
  /** Whether the content is served, so that capabilities of MODE1 can be read. */
  readonly hasContent: boolean
  readonly needsCredential: (capability: string) => boolean
}

const CREDENTIAL = [{ bearer: [] }, { apiKey: [] }]
const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-AHP-Key' },
}
/** Names of capabilities have no capitals, so that no operation of ours is called like one. */
const POLL = 'pollAnswer'
const RATE_LIMIT = {
  'X-RateLimit-Limit': 'Requests that are allowed in a window.',
  'X-RateLimit-Remaining': 'Requests that are left in this window.',
  'X-RateLimit-Reset': 'When the window ends, seconds since 1970.',
  'X-RateLimit-Window': 'How long a window is, seconds.',
}

/** The capabilities of a site as an OpenAPI 3.1 description (draft 0.1, appendix E). */
export function describeSite({ manifest, publicUrl, hasContent, needsCredential }: SiteFacts): Described {
  const { ahp, name = publicUrl, description, capabilities = [], endpoints, authentication } = manifest
  const asked = capabilities.filter(({ mode }) => mode !== 'MODE1')
  const read = hasContent ? capabilities.filter(({ mode }) => mode === 'MODE1') : []
  const hasJobs = manifest.async?.supported === true
  const takesCredentials =
    (authentication ?? 'none') !== 'none' || asked.some((own) => needsCredential(own.name))
  return {
    openapi: '3.1.0',
    info: { title: name, ...(description === undefined ? {} : { description }), version: ahp },
    servers: [{ url: publicUrl }],
    paths: Object.fromEntries([
      ...asked.map((own) => [pathOf(own), { post: ask(own, needsCredential(own.name), hasJobs, publicUrl) }]),
      ...read.map((own) => [pathOf(own), { get: readContent(own) }]),
      ...(hasJobs
        ? [[`${endpoints?.converse ?? ''}/status/{session_id}`, { get: poll(takesCredentials) }]]
        : []),
    ]) as Described,
    components: {
      schemas: MESSAGE_SCHEMAS,
      responses: {
        AHPResponse: response('The answer, a question back, or a receipt.'),
        AHPError: errorResponse(),
      },
      headers: Object.fromEntries(
        Object.entries(RATE_LIMIT).map(([field, text]) => [
          field,
          { description: text, schema: { type: 'integer' } },
        ]),
      ),
      ...(takesCredentials ? { securitySchemes: SECURITY_SCHEMES } : {}),
    },
  }
}

function pathOf({ name }: Capability): string {
  return `/capabilities/${name}`
}

function ask(capability: Capability, isSecured: boolean, hasJobs: boolean, publicUrl: string): Described {
  const { name, description, mode, action_type: actionType } = capability
  const maySucceedLater = hasJobs && mode === 'MODE3'
  const isLater = actionType === 'async'
  const polling = `${isLater ? 'The answer comes later' : 'The answer may come later'}: with the status "accepted", poll the URL in \`poll\` with GET until the status is no longer "pending", or give a \`context.callback_url\`.`
  return {
    operationId: name,
    summary: description,
    ...(maySucceedLater ? { description: `${description}\n\n${polling}` } : {}),
    requestBody: { required: true, content: json(bodySchema(capability, publicUrl)) },
    responses: {
      '200': maySucceedLater ? withPolling() : { $ref: '#/components/responses/AHPResponse' },
      ...errors(['400', '401', ...(isSecured ? ['403'] : []), '413', '429', '500', '503']),
    },
    ...(isSecured ? { security: CREDENTIAL } : {}),
    ...(maySucceedLater ? { callbacks: { answer: callback() } } : {}),
  }
}

/** References in an input schema begin at its own root, which it has no more in here unless it has a name. */
function bodySchema(capability: Capability, publicUrl: string): JsonSchema {
  const schema = flatRequestSchema(capability, {
    optionalText: ['string', 'null'],
    more: { context: { $ref: '#/components/schemas/AHPRequestContext' } },
  })
  const { input_schema: input } = capability
  if (input === undefined || !JSON.stringify(input).includes('"$ref":"#')) return schema
  const { context: _, ...properties } = schema['properties'] as Described
  return { $id: `${publicUrl}${pathOf(capability)}/request`, ...schema, properties }
}

function readContent({ name, description }: Capability): Described {
  return {
    operationId: name,
    summary: description,
    responses: {
      '200': {
        description: 'The content of the site.',
        content: { 'text/markdown': { schema: { type: 'string' } } },
      },
      ...errors(['429', '500']),
    },
  }
}

function poll(takesCredentials: boolean): Described {
  return {
    operationId: POLL,
    summary: 'Asks for an answer that comes later, with the credential of the request.',
    parameters: [
      {
        name: 'session_id',
        in: 'path',
        required: true,
        description: 'The last segment of `poll`.',
        schema: { type: 'string' },
      },
    ],
    responses: { '200': { $ref: '#/components/responses/AHPResponse' }, ...errors(['404', '429']) },
    ...(takesCredentials ? { security: [{}, ...CREDENTIAL] } : {}),
  }
}

function withPolling(): Described {
  const parameters = { session_id: '$response.body#/session_id' }
  return {
    ...response('The answer, or with the status "accepted" where it will be.'),
    links: { poll: { operationId: POLL, parameters } },
  }
}

function callback(): Described {
  const responses = { '2XX': { description: 'Received.' } }
  const post = {
    summary: 'The final response, signed as Standard Webhooks has it.',
    requestBody: { required: true, content: json({ $ref: '#/components/schemas/AHPResponse' }) },
    responses,
  }
  return { '{$request.body#/context/callback_url}': { post } }
}

function response(description: string): Described {
  return { description, headers: limitHeaders(), content: json({ $ref: '#/components/schemas/AHPResponse' }) }
}

function errorResponse(): Described {
  return {
    description: 'The request was refused or went wrong; `code` says how.',
    headers: {
      ...limitHeaders(),
      'Retry-After': { description: 'Seconds to wait, of 429 and 503.', schema: { type: 'integer' } },
    },
    content: json({ $ref: '#/components/schemas/AHPErrorResponse' }),
  }
}

function limitHeaders(): Described {
  return Object.fromEntries(
    Object.keys(RATE_LIMIT).map((field) => [field, { $ref: `#/components/headers/${field}` }]),
  )
}

function errors(statuses: readonly string[]): Described {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: '#/components/responses/AHPError' }]))
}

function json(schema: JsonSchema): Described {
  return { 'application/json': { schema } }
}
