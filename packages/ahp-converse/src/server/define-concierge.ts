import {
  linkHeader,
  llmsTxt,
  type Manifest,
  type RateLimits as DeclaredLimits,
} from '@doorplate/ahp-manifest'
import { createAnswerStage } from './answer-stage.js'
import { createAnswerCache } from './cache/answer-cache.js'
import { checkCapabilities, checkFaces, checkPaths, checkSettings } from './check-config.js'
import type { CheckedAnswer } from './check-outcome.js'
import { createAddressReader } from './client-address.js'
import type { ConciergeConfig } from './concierge-config.js'
import { type ConverseCall, type ConverseReply, createConverse } from './converse.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import { report } from './fault.js'
import { type ConnectionInfo, createFetchHandler } from './fetch-handler.js'
import { createRateLimits, type RateLimits } from './limits/rate-limits.js'
import { createResponder } from './respond.js'
import { createRoutes } from './routes.js'
import { createSessions, type Sessions } from './sessions/sessions.js'
import { createSiteDocuments } from './site-documents.js'
import { siteManifest } from './site-manifest.js'
import { createTakeTurn } from './take-turn.js'

/** A site that is found and asked by visiting agents over AHP 0.1. */
export interface Concierge {
  /** As it is served; frozen. */
  readonly manifest: Readonly<Manifest>
  /** Answers a Fetch request; errors become responses. Rejects only with the reason of an aborted request. */
  handleRequest(request: Request, connection?: ConnectionInfo): Promise<Response>
  /** The same core without Fetch objects, for adapters to other servers. */
  respond(request: CoreRequest): Promise<CoreResponse>
  /** The way of every request, without HTTP: for other ways in, in the same process and with the caller's own identity. */
  converse(call: ConverseCall): Promise<ConverseReply>
  /** True when a URL or path is one of the concierge's, for adapters that pass on what is not. */
  matches(target: string): boolean
}

/**
 * Makes a concierge from one declaration; after that nothing of it is read again.
 *
 * @throws {ConverseError} `invalid_option`, with the option at fault
 * @throws {AhpManifestError} `invalid_manifest` when the declaration makes a manifest that breaks the specification
 */
export function defineConcierge(config: ConciergeConfig): Concierge {
  const settings = checkSettings(config)
  const {
    now = Date.now,
    random,
    onError,
    verify,
    allowOrigins = [],
    trustedProxies = [],
    faces = [],
  } = config
  const onStoreError = (error: unknown): void => {
    report(onError, error, { stage: 'state' })
  }
  const capabilities = checkCapabilities(config)
  const paths = checkPaths(config.paths)
  checkFaces(faces, paths)
  const elsewhere = typeof config.content === 'object' ? config.content.url : undefined
  const contentUrl = elsewhere ?? paths.content
  const limits = createRateLimits(config.limits ?? {}, { now, onStoreError })
  const sessions = createSessions(config.sessions ?? {}, { now, ...(random === undefined ? {} : { random }) })
  const manifest = siteManifest(config, capabilities, {
    converse: paths.converse,
    content: contentUrl,
    rateLimits: declaredLimits(limits, sessions, verify !== undefined),
  })
  const routes = createRoutes({ ...paths, content: elsewhere === undefined ? paths.content : undefined })
  const answer = createAnswerStage({
    maxConcurrent: settings.maxConcurrentAnswers,
    timeoutMs: settings.answerTimeoutMs,
  })
  const { contentSignals } = config
  const cache =
    config.cache === false
      ? undefined
      : createAnswerCache<CheckedAnswer>(config.cache ?? {}, { now, onStoreError })
  const takeTurn = createTakeTurn({ sessions, cache, answer, contentSignals, ...settings })
  const converse = createConverse({ capabilities, verify, limits, takeTurn, onError })
  const { respond, matches } = createResponder({
    routes,
    readAddress: createAddressReader(trustedProxies),
    limits,
    converse,
    documents: createSiteDocuments(manifest, {
      readContent: contentReader(config, manifest),
      maxAgeSeconds: settings.maxAgeSeconds,
      now,
    }),
    link: linkHeader(contentUrl.endsWith('/llms.txt') ? { llmsTxtUrl: contentUrl } : {}),
    faces,
    site: {
      manifest,
      publicUrl: new URL(config.publicUrl).origin,
      allowOrigins,
      maxAgeSeconds: settings.maxAgeSeconds,
      needsCredential: (name) => capabilities.get(name)?.needsPrincipal === true,
    },
    onError,
    ...settings,
  })
  return Object.freeze({
    manifest,
    respond,
    converse,
    handleRequest: createFetchHandler(respond),
    matches,
  } satisfies Concierge)
}

/** What the manifest declares is what is enforced. */
function declaredLimits(limits: RateLimits, sessions: Sessions, hasPrincipals: boolean): DeclaredLimits {
  const unauthenticated = { ...limits.declared.unauthenticated, ...sessions.declared.unauthenticated }
  if (!hasPrincipals) return { unauthenticated }
  const authenticated = { ...limits.declared.authenticated, ...sessions.declared.authenticated }
  return { unauthenticated, authenticated }
}

/** The text of the content endpoint. */
function contentReader({ content, knowledge }: ConciergeConfig, manifest: Readonly<Manifest>): () => string {
  if (typeof content === 'string') return () => content
  return () => llmsTxt(manifest, knowledge?.llmsTxtContent?.() ?? { sections: [] })
}
