import { AadpConfigError } from '../errors/config-error.js'
import { invalidRequest } from '../errors/server-error.js'
import {
  fillRouteTemplate,
  matchRouteTemplate,
  mayCollide,
  parseRouteTemplate,
  type Placeholder,
  type RouteTemplate,
} from './route-template.js'

/** Where a manifest is, for every application (the one fixed path of the protocol). */
export const MANIFEST_PATH = '/.well-known/ai-manifest.json'

export type RouteName =
  'manifest' | 'sitemapIndex' | 'sitemap' | 'entity' | 'apiCatalog' | 'openapi' | 'llmsTxt'

/** Paths that a declaration may move; the last three may be switched off with `false`. */
export interface RoutesConfig {
  /** No placeholder. Default `/ai/v1.0/sitemap-index.json`. */
  readonly sitemapIndex?: string
  /** `{type}` once. Default `/ai/v1.0/sitemaps/{type}.json`. */
  readonly sitemap?: string
  /** `{type}` and `{id}` once each. Default `/ai/v1.0/entities/{type}/{id}.json`. */
  readonly entity?: string
  /** The API catalogue (RFC 9727). Default `/.well-known/api-catalog`. */
  readonly apiCatalog?: string | false
  /** The OpenAPI document. Default `/ai/v1.0/openapi.json`. */
  readonly openapi?: string | false
  /** Default `/llms.txt`. */
  readonly llmsTxt?: string | false
}

const DEFAULT_ROUTES: Required<RoutesConfig> = {
  sitemapIndex: '/ai/v1.0/sitemap-index.json',
  sitemap: '/ai/v1.0/sitemaps/{type}.json',
  entity: '/ai/v1.0/entities/{type}/{id}.json',
  apiCatalog: '/.well-known/api-catalog',
  openapi: '/ai/v1.0/openapi.json',
  llmsTxt: '/llms.txt',
}

const PLACEHOLDERS: Readonly<Record<RouteName, readonly Placeholder[]>> = {
  manifest: [],
  sitemapIndex: [],
  sitemap: ['type'],
  entity: ['type', 'id'],
  apiCatalog: [],
  openapi: [],
  llmsTxt: [],
}

export interface RouteMatch {
  readonly name: RouteName
  /** Decoded once. */
  readonly values: Readonly<Partial<Record<Placeholder, string | undefined>>>
}

export interface RouteTable {
  /** The routes that are served, with their path templates as on the wire. */
  readonly templates: ReadonlyMap<RouteName, string>
  has(name: RouteName): boolean
  /** True when some route fits the raw, still encoded path. */
  knows(path: string): boolean
  /** The route that fits the raw path; throws 400 `invalid_request` when a value in it is not valid percent-encoding. */
  match(path: string): RouteMatch | undefined
  /** Absolute URL of a route. */
  url(name: RouteName, values?: Readonly<Partial<Record<Placeholder, string>>>): string
}

/** @param origin scheme, host and port of the published URLs, without a trailing slash */
export function createRouteTable(origin: string, config: RoutesConfig = {}): RouteTable {
  const routes = parseRoutes(config)
  refuseCollisions(routes)
  const fixed = new Map<string, RouteName>()
  const variable: [RouteName, RouteTemplate][] = []
  for (const [name, template] of routes) {
    if (template.placeholders.length === 0) fixed.set(fillRouteTemplate(template, {}), name)
    else variable.push([name, template])
  }

  function find(path: string): RouteMatch | undefined {
    const normalised = path.includes('%')
      ? path.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
      : path
    const name = fixed.get(normalised)
    if (name !== undefined) return { name, values: {} }
    for (const [name, template] of variable) {
      const values = matchRouteTemplate(template, normalised)
      if (values !== undefined) return { name, values }
    }
    return undefined
  }

  return {
    templates: new Map([...routes].map(([name, template]) => [name, describeTemplate(template)])),
    has: (name) => routes.has(name),
    knows: (path) => find(path) !== undefined,
    match(path) {
      const found = find(path)
      return found && { name: found.name, values: decodeValues(found.values) }
    },
    url(name, values = {}) {
      const template = routes.get(name)
      if (template === undefined) throw new RangeError(`route ${name} is switched off`)
      return origin + fillRouteTemplate(template, values)
    },
  }
}

function parseRoutes(config: RoutesConfig): ReadonlyMap<RouteName, RouteTemplate> {
  if (typeof config !== 'object' || (config as unknown) === null || Array.isArray(config))
    throw new AadpConfigError('invalid_option', 'routes', 'must be an object')
  for (const key of Object.keys(config)) {
    if (!Object.hasOwn(DEFAULT_ROUTES, key))
      throw new AadpConfigError('unknown_option', `routes.${key}`, 'is not a route')
  }
  const routes = new Map<RouteName, RouteTemplate>([
    ['manifest', parseRouteTemplate(MANIFEST_PATH, 'manifest')],
  ])
  for (const name of Object.keys(DEFAULT_ROUTES) as (keyof RoutesConfig)[]) {
    const { [name]: path = DEFAULT_ROUTES[name] } = config
    const option = `routes.${name}`
    if (path === false && isOptional(name)) continue
    const template = parseRouteTemplate(path, option)
    requirePlaceholders(template, PLACEHOLDERS[name], option)
    routes.set(name, template)
  }
  return routes
}

function isOptional(name: RouteName): boolean {
  return name === 'apiCatalog' || name === 'openapi' || name === 'llmsTxt'
}

function requirePlaceholders(template: RouteTemplate, wanted: readonly Placeholder[], option: string): void {
  const found = [...template.placeholders].sort().join()
  if (found === [...wanted].sort().join()) return
  const description = wanted.map((name) => `{${name}}`).join(' and ')
  throw new AadpConfigError(
    'invalid_route',
    option,
    description === ''
      ? 'must hold no placeholder'
      : `must hold ${description} exactly once and nothing else`,
  )
}

function refuseCollisions(routes: ReadonlyMap<RouteName, RouteTemplate>): void {
  const all = [...routes]
  for (const [index, [name, template]] of all.entries()) {
    for (const [otherName, other] of all.slice(index + 1)) {
      if (!mayCollide(template, other)) continue
      throw new AadpConfigError(
        'route_collision',
        `routes.${otherName}`,
        `can match the same path as ${name}`,
      )
    }
  }
}

function decodeValues({ type, id }: RouteMatch['values']): RouteMatch['values'] {
  return { type: type && decode(type), id: id && decode(id) }
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    throw invalidRequest('The path is not valid percent-encoding.')
  }
}

function describeTemplate({ segments }: RouteTemplate): string {
  return segments
    .map(
      ({ prefix, placeholder, suffix }) =>
        `/${prefix}${placeholder === undefined ? '' : `{${placeholder}}`}${suffix}`,
    )
    .join('')
}
