import type { Capability } from '@doorplate/ahp-manifest'
import type {
  AcceptedResponse,
  ClarificationResponse,
  ErrorResponse,
  SuccessResponse,
} from '@doorplate/ahp-manifest/messages'
import { ConverseError } from '../converse-error.js'
import { buildRequest, type Question } from './build-request.js'
import { checkAskOptions } from './check-ask-options.js'
import { checkNames, checkSignal } from './check-option.js'
import type { CallbackReceiver } from './callback-receiver.js'
import { chooseCapability, onlyAnswers } from './choose-capability.js'
import { requireAllowed } from './content-use.js'
import type { Received } from './follow-redirects.js'
import { checkJobHandle, jobHandle } from './job-handle.js'
import { acceptedReply, answerReply, clarificationReply, endedReply, errorReply } from './make-reply.js'
import { readResponse, unusable, type ReadResponse } from './read-response.js'
import type {
  AcceptedReply,
  AnswerReply,
  ClarificationReply,
  ErrorReply,
  FinalReply,
  JobHandle,
  JobOptions,
  QuestionOptions,
  Reply,
  Session,
  WaitOptions,
} from './reply.js'
import { SiteSession, type TurnResult } from './site-session.js'
import type { SiteAccess, VisitedSite } from './site-access.js'
import { shownUrl, siteUrl } from './site-url.js'
import { waitForJob } from './wait-for-job.js'

/** Asks the concierge of one site and makes replies of its responses. */
export class Conversation {
  readonly #site: VisitedSite
  readonly #access: SiteAccess
  readonly #sessions = new WeakSet<Session>()

  constructor(site: VisitedSite, access: SiteAccess) {
    this.#site = site
    this.#access = access
  }

  session(id: string | undefined): SiteSession {
    const session = new SiteSession((own, name, query, options) => this.#ask(own, name, query, options), id)
    this.#sessions.add(session)
    return session
  }

  owns(session: Session): boolean {
    return this.#sessions.has(session)
  }

  /** Work that was accepted earlier. */
  job(handle: JobHandle, options: JobOptions): AcceptedReply {
    checkJobHandle(handle, options)
    const { jobId, pollUrl, sessionId, question: asked } = handle
    const { manifest, url } = this.#site.found
    requireAllowed(this.#site.options.uses, manifest.content_signals, shownUrl(url))
    const session = this.session(sessionId)
    const { capability: name, query = '', ...said } = asked ?? {}
    const capability = manifest.capabilities.find((candidate) => candidate.name === name)
    const job: AcceptedJob = {
      session,
      jobId,
      pollUrl: this.#pollUrl(pollUrl ?? this.#statusUrl(jobId)),
      question: capability && { capability, query, options: said },
      callback: options.callback,
      etaSeconds: undefined,
      isOld: true,
    }
    const nothing = { etaSeconds: undefined, warnings: [], rateLimit: undefined }
    return acceptedReply({ ...handle, pollUrl: job.pollUrl }, nothing, session, (given) =>
      this.#collect(job, given),
    )
  }

  async #ask(
    session: SiteSession,
    name: string | undefined,
    query: string,
    options: QuestionOptions,
  ): Promise<Reply> {
    checkAskOptions(query, options)
    const { manifest, url } = this.#site.found
    requireAllowed(this.#site.options.uses, manifest.content_signals, shownUrl(url))
    const capability = chooseCapability(manifest.capabilities, name, query, options.acceptTypes)
    return this.#turn(session, {
      capability,
      query,
      options: { ...options, ...idempotencyKey(capability, options) },
    })
  }

  #turn(session: SiteSession, question: Question): Promise<Reply> {
    const { capability, options } = question
    return session.turn(async (id) => {
      const request = buildRequest(question, this.#site.options.requestingAgent, id)
      options.signal?.throwIfAborted()
      const received = await this.#access.send(this.#converseUrl(), session, capability, {
        method: 'POST',
        headers: {
          ...MESSAGE_HEADERS,
          ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
        },
        body: JSON.stringify(request),
        signal: options.signal,
      })
      return this.#replyTo(session, question, received)
    })
  }

  #converseUrl(): string {
    const { manifest, url } = this.#site.found
    const converseUrl = siteUrl(manifest.endpoints.converse ?? '/agent/converse', url)
    if (converseUrl) return converseUrl.href
    const shown = shownUrl(url)
    throw new ConverseError('no_capability', `The manifest names no usable converse endpoint: ${shown}`, {
      url: shown,
    })
  }

  #replyTo(session: SiteSession, question: Question, received: Received): TurnResult {
    const read = readResponse(received)
    const { response } = read
    switch (response.status) {
      case 'success':
      case 'error':
        return this.#settled(session, read, response)
      case 'clarification_needed':
        return this.#asksBack(session, question, read, response)
      case 'accepted':
        return { reply: this.#accepted(session, question, read, response) }
      case 'pending':
      case 'failed':
      case 'expired':
        throw unusable(received, `status ${response.status} where nothing was accepted`)
    }
  }

  #settled(
    session: SiteSession,
    read: ReadResponse,
    response: SuccessResponse | ErrorResponse,
  ): { readonly reply: AnswerReply | ErrorReply; readonly sessionId?: string | null | undefined } {
    if (response.status === 'error') return { reply: errorReply(response, read, session) }
    const { manifest, url } = this.#site.found
    const place = { session, baseUrl: url, siteSignals: manifest.content_signals }
    const reply = answerReply(response, read, place)
    if (saysNothing(reply)) {
      const message = `The site answers with neither words nor a payload nor sources: ${shownUrl(url)}`
      throw new ConverseError('invalid_response', message, { url: shownUrl(url), status: read.httpStatus })
    }
    requireAllowed(this.#site.options.uses, reply.contentSignals, shownUrl(url))
    return { reply, sessionId: response.session_id }
  }

  #asksBack(
    session: SiteSession,
    question: Question | undefined,
    read: ReadResponse,
    response: ClarificationResponse,
  ): { readonly reply: ClarificationReply; readonly sessionId: string } {
    const reply = clarificationReply(response, read, session, async (text, options) => {
      checkNames(options, ['signal'])
      checkSignal(options.signal)
      if (question === undefined)
        throw new ConverseError('no_capability', 'What was asked is not known, so this cannot be answered.')
      const key = idempotencyKey(question.capability, {})
      return this.#turn(session, {
        ...question,
        clarification: text,
        options: { ...withoutSignal(question.options), ...key, ...options },
      })
    })
    return { reply, sessionId: response.session_id }
  }

  #accepted(
    session: SiteSession,
    question: Question,
    read: ReadResponse,
    { session_id: jobId, poll, eta_seconds: eta }: AcceptedResponse,
  ): AcceptedReply {
    const etaSeconds = eta ?? undefined
    const { callback } = question.options
    const pollUrl = siteUrl(poll, this.#converseUrl())?.href ?? poll
    const handle = jobHandle(jobId, pollUrl, question, session.id)
    return acceptedReply(handle, { ...read, etaSeconds }, session, async (options) =>
      this.#collect(
        { session, jobId, pollUrl: this.#pollUrl(poll), question, callback, etaSeconds, isOld: false },
        options,
      ),
    )
  }

  /** Waits for the result of work. */
  async #collect(job: AcceptedJob, options: WaitOptions): Promise<FinalReply> {
    const { session, jobId, pollUrl, question, callback, etaSeconds, isOld } = job
    const ended = await waitForJob(
      {
        etaSeconds,
        isOld,
        poll: async (signal) => {
          const request = { method: 'GET', headers: ACCEPT_MESSAGE, signal, staysOnOrigin: true } as const
          const asked = isOld ? question?.capability : undefined
          return readResponse(await this.#access.send(pollUrl, session, asked, request))
        },
        delivered: callback && ((signal) => callback.result(jobId, { signal })),
      },
      options,
      this.#site.options,
    )
    return this.#finalReply(session, question, ended)
  }

  /** Where the draft says that the state of a job is told (AHP 0.1, section 9.1). */
  #statusUrl(jobId: string): string {
    return `${this.#converseUrl().replace(/[?#].*$/, '')}/status/${encodeURIComponent(jobId)}`
  }

  #pollUrl(poll: string): string {
    const { url } = this.#site.found
    const asked = this.#converseUrl()
    const target = siteUrl(poll, asked)
    const origins = [asked, url].map((own) => new URL(own).origin)
    if (target && origins.includes(target.origin)) return target.href
    const message =
      'The address to poll is on the origin neither of the manifest nor of the converse endpoint.'
    throw new ConverseError('foreign_poll', message, { url: shownUrl(url) })
  }

  #finalReply(session: SiteSession, question: Question | undefined, read: ReadResponse): FinalReply {
    const { response } = read
    switch (response.status) {
      case 'success':
      case 'error':
        return this.#settled(session, read, response).reply
      case 'clarification_needed':
        // It is answered in the session that the site names, which may be one of the job.
        return this.#asksBack(this.session(response.session_id), question, read, response).reply
      case 'failed':
      case 'expired':
        return endedReply(response, read, session)
      case 'accepted':
      case 'pending':
        throw new ConverseError('invalid_response', `Status ${response.status} does not end work.`)
    }
  }
}

/** Work whose result can be collected. */
interface AcceptedJob {
  readonly session: SiteSession
  readonly jobId: string
  readonly pollUrl: string
  /** Undefined where nobody knows it any more. */
  readonly question: Question | undefined
  readonly callback: CallbackReceiver | undefined
  readonly etaSeconds: number | undefined
  /** Whether it was accepted some time ago. */
  readonly isOld: boolean
}

const ACCEPT_MESSAGE = { accept: 'application/json' }
const MESSAGE_HEADERS = { ...ACCEPT_MESSAGE, 'content-type': 'application/json' }

/** Whatever may act gets a key, so that a question that is sent twice acts once. */
function idempotencyKey(
  capability: Capability,
  { idempotencyKey: key }: QuestionOptions,
): Pick<QuestionOptions, 'idempotencyKey'> {
  if (onlyAnswers(capability)) return {}
  return { idempotencyKey: key ?? crypto.randomUUID() }
}

function withoutSignal({ signal: _, ...options }: QuestionOptions): QuestionOptions {
  return options
}

/** Nobody asked has been answered then, whatever the status says. */
function saysNothing({ answer, payload, sources }: AnswerReply): boolean {
  return answer.trim() === '' && payload === undefined && sources.length === 0
}
