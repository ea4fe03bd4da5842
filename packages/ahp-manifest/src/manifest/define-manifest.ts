import type {
  ActionType,
  Capability,
  ContentSignals,
  Endpoints,
  Integration,
  Manifest,
  RateLimits,
} from '../generated/manifest/manifest.js'
import { AHP_VERSION } from '../kinds.js'
import { isObject } from '../own-member.js'
import { resultOf, type ValidationIssue } from '../validation-issue.js'
import { AhpManifestError, checkNames, invalidManifest, invalidOption } from './ahp-manifest-error.js'
import { manifestIssues, manifestSchemaIssues } from './manifest-issues.js'
import { modesUpTo } from './modes.js'

type JsonSchema = Readonly<Record<string, unknown>>

interface CapabilityFacts {
  /** `[a-z][a-z0-9_]*`, at most 64 characters. */
  readonly name: string
  /** At most 256 characters. */
  readonly description: string
  /** The preferred one first; `text/answer` when absent. */
  readonly response_types?: readonly string[]
  readonly accept_fallback?: boolean
  readonly auth_required?: boolean
}

/** A capability that serves content or answers questions. */
export interface AnsweringCapability extends CapabilityFacts {
  readonly mode: 'MODE1' | 'MODE2'
  readonly input_schema?: JsonSchema
  readonly output_schema?: JsonSchema
}

/** A capability that acts: what it takes and gives, and what kind of action it is, must be said. */
export interface ActingCapability extends CapabilityFacts {
  readonly mode: 'MODE3'
  readonly action_type: ActionType
  readonly input_schema: JsonSchema
  readonly output_schema: JsonSchema
}

/** A manifest without what follows from the rest of it. */
export interface ManifestInput {
  /** At most 128 characters. */
  readonly name: string
  /** At most 512 characters. */
  readonly description?: string
  /** `converse` defaults to `/agent/converse` where a capability answers or acts. */
  readonly endpoints?: Readonly<Endpoints>
  readonly capabilities?: readonly (AnsweringCapability | ActingCapability)[]
  /** Default: `none`. */
  readonly authentication?: 'none' | 'bearer' | 'api_key'
  /** Only what is enforced. */
  readonly rate_limits?: Readonly<RateLimits>
  /** All four: what is not stated is neither allowed nor refused. */
  readonly content_signals: Readonly<Required<ContentSignals>>
  readonly async?: { readonly supported?: boolean; readonly max_eta_seconds?: number }
  readonly links?: Readonly<Record<string, string>>
  readonly integrations?: Readonly<Record<string, Readonly<Integration>>>
}

/** Options of `defineManifest`. */
export interface DefineManifestOptions {
  /** The public URL of the site. With it, integrations are also given as `links`, which must be absolute. */
  readonly baseUrl?: string
  /** Leaves out `integrations` and `auth_required`, which the schema published with the draft refuses. Default: false. */
  readonly schema01Strict?: boolean
}

/**
 * A complete manifest from what is particular to a site: the version, the modes (from the capabilities), the converse
 * endpoint, the asynchronous model, the short form of the rate limit and the links of integrations are filled in.
 *
 * @returns the manifest, frozen
 * @throws {AhpManifestError} `invalid_manifest` when it would break a MUST of the specification or leave a content signal
 * open, with every such issue; `invalid_option`
 */
export function defineManifest(
  input: ManifestInput,
  options: DefineManifestOptions = {},
): Readonly<Manifest> {
  checkNames(options, ['baseUrl', 'schema01Strict'])
  const { baseUrl, schema01Strict = false } = options
  if (baseUrl !== undefined && !/^https?:\/\//i.test(baseUrl)) throw invalidOption('baseUrl', BASE_URL_RULE)
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) throw invalidOption('baseUrl', BASE_URL_RULE)
  const misshapen = issuesOfShape(input)
  if (misshapen.length > 0) throw invalidManifest(misshapen)
  const manifest = complete(input, baseUrl, schema01Strict)
  const issues = manifestIssues(manifest).map(demanded).filter(isOfInput)
  if (!resultOf(issues).valid) throw invalidManifest(issues)
  return deepFreeze(manifest)
}

/** What would be lost or misread when the rest is filled in: members of no name or of another type. */
function issuesOfShape(input: unknown): ValidationIssue[] {
  if (!isObject(input)) return manifestSchemaIssues(input)
  const derived = Object.keys(input).filter((name) => DERIVED.includes(name))
  const given = { ...withoutUndefined(input), ahp: AHP_VERSION, modes: ['MODE1'] }
  const issues = manifestSchemaIssues(given)
  const isMisshapen = issues.some(({ code, path }) => code === 'type' || isUnknownMember(code, path))
  return [...derived.map(followsFromTheRest), ...(isMisshapen ? issues : [])]
}

/** Members of a manifest that are no members of the input. */
const DERIVED: readonly string[] = ['ahp', 'modes', 'rate_limit']

function followsFromTheRest(name: string): ValidationIssue {
  const message = 'This member follows from the rest; leave it out.'
  return { level: 'error', code: 'derived_member', path: `/${name}`, message, rule: 'AHP01-MAN-001' }
}

function isUnknownMember(code: string, path: string): boolean {
  return code === 'additionalProperties' && path.lastIndexOf('/') === 0
}

/** The short form of the rate limit is as wrong as what it is made of. */
function isOfInput({ path }: ValidationIssue): boolean {
  return path !== '/rate_limit'
}

/** A manifest may leave a signal out; whoever writes one is asked for all four. */
function demanded(issue: ValidationIssue): ValidationIssue {
  return issue.code === 'missing_content_signal' ? { ...issue, level: 'error' } : issue
}

const BASE_URL_RULE = 'must be an http or https URL'

function complete(input: ManifestInput, baseUrl: string | undefined, schema01Strict: boolean): Manifest {
  const { capabilities = [], endpoints, rate_limits: rateLimits, integrations = {} } = input
  const modes = modesUpTo(capabilities.map(({ mode }) => mode))
  const isAsync = capabilities.some(
    (capability) => 'action_type' in capability && capability.action_type === 'async',
  )
  const links = { ...linksTo(integrations, baseUrl), ...input.links }
  const manifest = {
    ahp: AHP_VERSION,
    name: input.name,
    description: input.description,
    modes,
    endpoints: { ...(modes.length > 1 ? { converse: '/agent/converse' } : {}), ...endpoints },
    capabilities:
      capabilities.length === 0 ? undefined : capabilities.map((own) => toCapability(own, schema01Strict)),
    authentication: input.authentication ?? 'none',
    rate_limits: rateLimits,
    rate_limit: rateLimits?.unauthenticated?.requests,
    content_signals: input.content_signals,
    async: { supported: isAsync, ...input.async },
    links: Object.keys(links).length === 0 ? undefined : links,
    integrations: schema01Strict ? undefined : input.integrations,
  }
  return withoutUndefined(manifest) as unknown as Manifest
}

function toCapability(
  capability: AnsweringCapability | ActingCapability,
  schema01Strict: boolean,
): Capability {
  const { auth_required: authRequired, ...published } = capability
  return (schema01Strict || authRequired === undefined ? published : capability) as unknown as Capability
}

function linksTo(
  integrations: Readonly<Record<string, Integration>>,
  baseUrl: string | undefined,
): Record<string, string> {
  const links = Object.entries(integrations).flatMap(([name, { url }]) =>
    URL.canParse(url, baseUrl) ? [[name, new URL(url, baseUrl).href] as const] : [],
  )
  return Object.fromEntries(links)
}

function withoutUndefined(value: object): object {
  try {
    return JSON.parse(JSON.stringify(value)) as object
  } catch (cause) {
    throw new AhpManifestError('invalid_manifest', 'Not a valid AHP manifest: JSON cannot hold it.', {
      cause,
    })
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child)
    Object.freeze(value)
  }
  return value
}
