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
import type { ConverseCall } from './converse-call.js'
import { createAsk } from './converse.js'
import type { ConverseReply } from './reply-of.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import { type FaultListener, report } from './fault.js'
import { type ConnectionInfo, createFetchHandler } from './fetch-handler.js'
import { createIdentify } from './identify-caller.js'
import type { JobCount } from './jobs/job-store.js'
import type { Jobs } from './jobs/jobs.js'
import { createRateLimits, type RateLimits } from './limits/rate-limits.js'
import { createEventLog } from './observe/event-log.js'
import { createFaultPrinter } from './observe/fault-printer.js'
import { createHealth, type HealthCheck, type Readiness } from './observe/health.js'
import type { Observer } from './observe/site-event.js'
import { createSiteEvents } from './observe/site-events.js'
import { openJobs } from './open-jobs.js'
import type { OperatorInbox } from './operators/operator-inbox.js'
import { createPoll } from './poll.js'
import { createQuestionReader } from './read-question.js'
import { createResponder, type Refused } from './respond.js'
import { createRoutes } from './routes.js'
import { createSessions, type Sessions } from './sessions/sessions.js'
import { createSiteDocuments } from './site-documents.js'
import { siteManifest } from './site-manifest.js'
import { createTakeTurn } from './take-turn.js'

/** A site that is found and asked by visiting agents over AHP 0.1. */
export interface Concierge {
  /** As it is served; frozen. */
  readonly manifest: Readonly<Manifest>
  /** What people answer: the outcomes `escalation`, until somebody has dealt with them. */
  readonly inbox: OperatorInbox
  /** Answers a Fetch request; errors become responses. Rejects only with the reason of an aborted request. */
  handleRequest(request: Request, connection?: ConnectionInfo): Promise<Response>
  /** The same core without Fetch objects, for adapters to other servers. */
  respond(request: CoreRequest): Promise<CoreResponse>
  /** The answer to what a server refuses before it is a request, such as no HTTP; counted as reading. */
  refuse(refused: Refused): Promise<CoreResponse>
  /** The way of every request, without HTTP: for other ways in, in the same process and with the caller's own identity. */
  converse(call: ConverseCall): Promise<ConverseReply>
  /** Whether it can answer: its stores and the checks of `health`. */
  ready(): Promise<Readiness>
  /** How much there is at the moment, for gauges. Rejects with what a store rejects with. */
  counts(): Promise<SiteCounts>
  /** True when a URL or path is one of the concierge's, for adapters that pass on what is not. */
  matches(target: string): boolean
  /**
   * Takes up the jobs and deliveries that are due, and resolves when they are done. It happens by itself once a second from the
   * first job on, or from the start where jobs have a store; this is for runtimes that are woken by a clock of their own.
   */
  runDueJobs(): Promise<void>
  /** Ends a job as failed, and tells whoever works on it; false when there is none of this id that has not ended. */
  cancelJob(id: string, options?: { readonly message?: string }): Promise<boolean>
  /** Begins the delivery of a result again, after its attempts have failed; false when there is nothing to deliver. */
  redeliver(id: string): Promise<boolean>
  /** Is ready no more, takes up no more jobs, waits for those under way, and abandons what is not done by then. Default: 10,000 ms. */
  close(options?: { readonly timeoutMs?: number }): Promise<void>
}

/**
 * Makes a concierge from one declaration; after that nothing of it is read again.
 *
 * @throws {ConverseError} `invalid_option`, with the option at fault
 * @throws {AhpManifestError} `invalid_manifest` when the declaration makes a manifest that breaks the specification
 */
export function defineConcierge(config: ConciergeConfig): Concierge {
  const settings = checkSettings(config)
  const { now = Date.now, random, verify, allowOrigins = [], trustedProxies = [], faces = [] } = config
  const events = createSiteEvents(observersOf(config), {
    now,
    routeOf: (target) => responder.routeOf(target) ?? 'none',
  })
  const onError = events.faults(listenerOf(config))
  const onStoreError = (error: unknown): void => {
    report(onError, error, { stage: 'state' })
  }
  const capabilities = checkCapabilities(config)
  const paths = checkPaths(config.paths)
  checkFaces(faces, paths)
  const elsewhere = typeof config.content === 'object' ? config.content.url : undefined
  const contentUrl = elsewhere ?? paths.content
  const limits = createRateLimits(config.limits ?? {}, { now, onStoreError })
  const sessions = createSessions(config.sessions ?? {}, {
    now,
    onStoreError,
    ...(random === undefined ? {} : { random }),
  })
  const { opened, inbox } = openJobs(config, capabilities, {
    converse: paths.converse,
    events,
    onError,
  })
  const manifest = siteManifest(config, capabilities, {
    converse: paths.converse,
    content: contentUrl,
    maxEtaSeconds: opened?.maxEtaSeconds,
    rateLimits: declaredLimits(limits, sessions, verify !== undefined),
  })
  const routes = createRoutes({ ...paths, content: elsewhere === undefined ? paths.content : undefined })
  const answer = createAnswerStage({
    maxConcurrent: settings.maxConcurrentAnswers,
    timeoutMs: settings.answerTimeoutMs,
  })
  const contentSignals = { ...config.contentSignals }
  const cache =
    config.cache === false
      ? undefined
      : createAnswerCache<CheckedAnswer>(config.cache ?? {}, { now, onStoreError })
  const jobTurns = opened?.jobTurns
  const takeTurn = createTakeTurn({ sessions, cache, answer, jobTurns, contentSignals, ...settings })
  const identify = createIdentify({ verify, limits, onError })
  const { identifyAgent } = config
  const callbacks = opened?.callbacks
  const ask = events.ask(createAsk({ identify, identifyAgent, callbacks, limits, takeTurn, onError }))
  const questions = createQuestionReader(
    capabilities,
    Math.min(settings.maxAnswerTokens, sessions.tokenBudget),
  )
  const converse = async (call: ConverseCall): Promise<ConverseReply> =>
    ask(questions.read(call.request), call)
  const health = createHealth(config.health ?? {}, {
    checks: storeChecks(config),
    onFailure: (error) => {
      report(onError, error, { stage: 'health' })
    },
    now,
  })
  const responder = createResponder({
    routes,
    readAddress: createAddressReader(trustedProxies),
    limits,
    questions,
    ask,
    converse,
    poll: createPoll({ identify, limits, jobs: opened?.jobs, now, onError }),
    readsSignatures: identifyAgent !== undefined,
    documents: createSiteDocuments(manifest, {
      readContent: contentReader(config, manifest),
      maxAgeSeconds: settings.maxAgeSeconds,
      now,
    }),
    link: linkHeader(contentUrl.endsWith('/llms.txt') ? { llmsTxtUrl: contentUrl } : {}),
    faces: [...faces, ...(config.health === undefined ? [] : [{ name: 'health', open: () => health.face }])],
    site: {
      manifest,
      publicUrl: new URL(config.publicUrl).origin,
      allowOrigins,
      maxAgeSeconds: settings.maxAgeSeconds,
      contentPath: elsewhere === undefined ? paths.content : undefined,
      needsCredential: (name) => capabilities.get(name)?.needsPrincipal === true,
    },
    onError,
    ...settings,
  })
  const respond = events.respond((request) => responder.respond(request))
  return Object.freeze({
    manifest,
    inbox,
    respond,
    refuse: (refused) => responder.refuse(refused),
    converse,
    handleRequest: createFetchHandler(respond),
    matches: (target) => responder.routeOf(target) !== undefined,
    ready: () => health.ready(),
    counts: async () => countsOf(await Promise.all([sessions.count(), opened?.jobs.store.count()])),
    ...jobMethods(opened?.jobs),
    async close({ timeoutMs = 10_000 } = {}) {
      health.close()
      await opened?.jobs.close(timeoutMs)
    },
  } satisfies Concierge)
}

/** A fault that nobody else is told of is printed. */
function listenerOf({ onError, logger, now }: ConciergeConfig): FaultListener {
  if (onError !== undefined) return onError
  return logger === undefined ? createFaultPrinter(now === undefined ? {} : { now }) : () => undefined
}

function observersOf({ logger, observe }: ConciergeConfig): readonly Observer[] {
  return [
    ...(logger === undefined ? [] : [createEventLog(logger)]),
    ...(observe === undefined ? [] : [observe]),
  ]
}

/** What there is of each; absent where there is none, or the store of sessions does not tell. */
export interface SiteCounts {
  /** Sessions that can go on. */
  readonly sessions?: number
  readonly jobs?: JobCount
}

function countsOf([sessions, jobs]: readonly [number | undefined, JobCount | undefined]): SiteCounts {
  return { ...(sessions === undefined ? {} : { sessions }), ...(jobs === undefined ? {} : { jobs }) }
}

type JobMethods = Pick<Concierge, 'runDueJobs' | 'cancelJob' | 'redeliver'>

function jobMethods(jobs: Jobs | undefined): JobMethods {
  return {
    runDueJobs: async () => jobs?.runDue(),
    cancelJob: async (id, { message = 'The work was cancelled.' } = {}) =>
      (await jobs?.cancel(id, message)) ?? false,
    redeliver: async (id) => (await jobs?.redeliver(id)) ?? false,
  }
}

/** A store that answers is one that works. */
function storeChecks({ sessions, jobs }: ConciergeConfig): Readonly<Record<string, HealthCheck>> {
  const sessionStore = sessions?.store
  const jobStore = jobs?.store
  return {
    ...(sessionStore === undefined ? {} : { sessions: () => sessionStore.read('health') }),
    ...(jobStore === undefined ? {} : { jobs: () => jobStore.read('health') }),
  }
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
