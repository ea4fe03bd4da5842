import type { ManifestV1, SecuritySchemeV1 } from '@doorplate/aadp-schemas'
import entitySchema from '@doorplate/aadp-schemas/schemas/v1.0/entity.schema.json' with { type: 'json' }
import errorSchema from '@doorplate/aadp-schemas/schemas/v1.0/error.schema.json' with { type: 'json' }
import manifestSchema from '@doorplate/aadp-schemas/schemas/v1.0/manifest.schema.json' with { type: 'json' }
import sitemapIndexSchema from '@doorplate/aadp-schemas/schemas/v1.0/sitemap-index.schema.json' with { type: 'json' }
import sitemapSchema from '@doorplate/aadp-schemas/schemas/v1.0/sitemap.schema.json' with { type: 'json' }
import type { Resource } from '../config/resource-config.js'
import type { RouteTable } from '../routes/route-table.js'

type Json = Readonly<Record<string, unknown>>

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Json
  readonly servers: readonly Json[]
  readonly paths: Readonly<Record<string, Json>>
  readonly components: Json
}

const SCHEMAS = {
  Manifest: manifestSchema,
  SitemapIndex: sitemapIndexSchema,
  Sitemap: sitemapSchema,
  Entity: entitySchema,
  Error: errorSchema,
} as const

const ENTITY_FORMS: Json = { ...jsonOf('Entity'), 'text/markdown': { schema: { type: 'string' } } }

const CURSOR: Json = {
  name: 'cursor',
  in: 'query',
  description: 'cursor.next of the page before',
  schema: { type: 'string' },
}
const ID: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The part of the entity id after the colon',
  schema: { type: 'string', pattern: '^[a-z][a-z0-9_-]*$' },
}

/** The published routes as an API, one path for each type of entity. */
export function buildOpenApiDocument(
  manifest: ManifestV1,
  resources: ReadonlyMap<string, Resource>,
  routes: RouteTable,
  origin: string,
): OpenApiDocument {
  const pathOf = (name: 'manifest' | 'sitemapIndex' | 'sitemap' | 'entity', type = ''): string =>
    (routes.templates.get(name) ?? '').replace('{type}', type)
  const paths: Record<string, Json> = {
    [pathOf('manifest')]: { get: operation('manifest', 'The manifest', 'Manifest') },
    [pathOf('sitemapIndex')]: { get: operation('sitemap_index', 'The sitemap index', 'SitemapIndex') },
  }
  for (const resource of resources.values()) {
    const { type } = resource
    const locale = resource.locales === undefined ? [] : [localeParameter(resource.locales)]
    const security = securityOf(resource, manifest.security_schemes)
    paths[pathOf('sitemap', type)] = {
      get: {
        ...operation(`sitemap_${type}`, `A page of the entities of type ${type}`, 'Sitemap', refusals('400')),
        parameters: [CURSOR, ...locale],
        ...security,
      },
    }
    paths[pathOf('entity', type)] = {
      get: {
        ...operation(`entity_${type}`, `One entity of type ${type}`, 'Entity', {
          ...refusals('400', '404'),
          ...(resource.markdown && {
            200: { description: `One entity of type ${type}`, content: ENTITY_FORMS },
          }),
        }),
        parameters: [ID, ...locale],
        ...security,
      },
    }
  }
  const securitySchemes = describeSecuritySchemes(manifest.security_schemes)
  return {
    openapi: '3.1.0',
    info: {
      title: manifest.application.name,
      description: manifest.application.description,
      version: manifest.aadp_version,
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, embedSchema(name, schema)]),
      ),
      ...(Object.keys(securitySchemes).length > 0 && { securitySchemes }),
    },
  }
}

function operation(
  operationId: string,
  summary: string,
  schema: keyof typeof SCHEMAS,
  others: Json = {},
): Json {
  return {
    operationId,
    summary,
    responses: {
      200: { description: summary, content: jsonOf(schema) },
      304: { description: 'Not modified' },
      ...others,
    },
  }
}

function refusals(...statuses: readonly string[]): Json {
  const descriptions: Readonly<Record<string, string>> = { 400: 'Not a valid request', 404: 'Not found' }
  return Object.fromEntries(
    statuses.map((status) => [status, { description: descriptions[status], content: jsonOf('Error') }]),
  )
}

function jsonOf(schema: keyof typeof SCHEMAS): Json {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
}

function localeParameter(locales: readonly string[]): Json {
  return { name: 'locale', in: 'query', schema: { type: 'string', enum: locales, default: locales[0] } }
}

/** A schema as part of another document: its own references start from where it is now. */
function embedSchema(name: string, schema: object): unknown {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === '$id' || key === '$schema' ? undefined : value,
  )
  return JSON.parse(text.replaceAll('"#/$defs/', `"#/components/schemas/${name}/$defs/`))
}

function securityOf({ security }: Resource, schemes: ManifestV1['security_schemes'] = {}): Json {
  if (security === undefined || schemes[security]?.type === 'none') return {}
  return { security: [{ [security]: [] }] }
}

function describeSecuritySchemes(schemes: ManifestV1['security_schemes'] = {}): Json {
  return Object.fromEntries(
    Object.entries(schemes).flatMap(([id, scheme]) => {
      const described = describeSecurityScheme(scheme)
      return described === undefined ? [] : [[id, described]]
    }),
  )
}

function describeSecurityScheme(scheme: SecuritySchemeV1): Json | undefined {
  switch (scheme.type) {
    case 'none':
      return undefined
    case 'api_key':
      return { type: 'apiKey', in: scheme.in, name: scheme.name }
    case 'oauth2': {
      const { authorization_url: authorizationUrl, token_url: tokenUrl, scopes = [] } = scheme
      const flow = { authorizationUrl, scopes: Object.fromEntries(scopes.map((scope) => [scope, ''])) }
      return {
        type: 'oauth2',
        flows: tokenUrl === undefined ? { implicit: flow } : { authorizationCode: { ...flow, tokenUrl } },
      }
    }
  }
}
