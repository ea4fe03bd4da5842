import { decodeText } from '../http/decode-text.js'
import type { CappedResponse, FetchFailure } from './fetch-capped.js'
import { fingerprint, isSameAnswer, isSameShape, type Fingerprint } from './fingerprint.js'
import { isSentToLogin } from './login-redirect.js'
import type { PathShape } from './probe-list.js'

/** What a host answers where nothing is. */
export interface Control {
  /** Absent if there was no answer. */
  readonly print?: Fingerprint
  readonly text?: string
  readonly sentToLogin: boolean
}

/** The answers to paths that cannot exist: of the shape in question, and of all shapes. */
export interface Controls {
  readonly ofShape: Control | undefined
  readonly all: readonly Control[]
}

type Answer = CappedResponse | FetchFailure | { readonly stopped: string }

/** The controls of one origin. Each path that cannot exist is asked for at most once. */
export class OriginControls {
  readonly #ask: (shape: PathShape) => Promise<Answer>
  readonly #canaries = new Map<PathShape, Promise<Control>>()
  readonly #bare: Promise<Control>[] = []

  /** Asks for `json` and `text` at once, so that they cost no round trip of their own. */
  constructor(ask: (shape: PathShape) => Promise<Answer>) {
    this.#ask = ask
    for (const shape of ['json', 'text'] as const) void this.#canary(shape)
  }

  /** Takes the answer to a path without an extension as a control for the others. */
  watchBare(answer: Promise<Answer>): void {
    this.#bare.push(quiet(answer.then(controlOf)))
  }

  /** With the answer to a path of the shape that cannot exist. */
  of(shape: PathShape): Promise<Controls> {
    return this.#with(this.#canary(shape))
  }

  /**
   * What the conventional paths without an extension say of each other: one that is not there is as good as one that
   * cannot be there. Else `isDistinct` says whether another of them is answered with something quite different.
   */
  async ofBareAnswers(
    answer: Answer,
  ): Promise<{ readonly controls: Controls; readonly isDistinct: boolean }> {
    const others = await Promise.all(this.#bare)
    const refusal = others.find(({ print }) => print?.status === 404 || print?.status === 410)
    const { print } = controlOf(answer)
    const isDistinct = others.some((other) => print && other.print && isOther(print, other.print))
    return { controls: await this.#with(refusal), isDistinct }
  }

  #canary(shape: PathShape): Promise<Control> {
    const canary = this.#canaries.get(shape) ?? quiet(this.#ask(shape).then(controlOf))
    this.#canaries.set(shape, canary)
    return canary
  }

  async #with(ofShape: Control | Promise<Control> | undefined): Promise<Controls> {
    const [control, ...all] = await Promise.all([ofShape, ...this.#canaries.values()])
    return { ofShape: control, all: [...all, ...(control ? [control] : [])] }
  }
}

/** An abort is told to whoever waits; where nobody does, it is no error of the process. */
function quiet<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined)
  return promise
}

function controlOf(answer: Answer): Control {
  if ('stopped' in answer) return { sentToLogin: false }
  const sentToLogin = isSentToLogin(answer)
  if ('failure' in answer) return { sentToLogin }
  const text = decodeText(answer.bytes, answer.headers.get('content-type'))
  return { print: fingerprint(answer, text), text, sentToLogin }
}

/** Both are JSON documents, and not of one make. */
function isOther(a: Fingerprint, b: Fingerprint): boolean {
  const areDocuments = a.members !== undefined && b.members !== undefined && a.status === b.status
  return areDocuments && !isSameAnswer(a, b) && !isSameShape(a, b)
}
