import type { Manifest } from '@doorplate/ahp-manifest'
import type { ConverseCall } from './converse-call.js'
import type { ConverseReply } from './reply-of.js'
import type { CoreRequest, CoreResponse } from './core-message.js'
import type { Caller } from './identify-caller.js'
import type { RateVerdict } from './limits/rate-limits.js'

/** Another protocol by which the same concierge is reached, at paths of its own on the same origin. */
export interface Face {
  /** Its name among the `integrations` of the manifest. */
  readonly name: string
  /** Where the manifest sends its users. */
  readonly path: string
  /** The version among the `integrations`. */
  readonly version: string
  /** Called once, by `defineConcierge`. */
  readonly open: (site: FaceSite) => OpenFace
}

/** What a face sees of the site: every way to an answer is that of converse. */
export interface FaceSite {
  readonly manifest: Readonly<Manifest>
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly allowOrigins: readonly string[]
  readonly maxAgeSeconds: number
  /** Where the content is served; undefined where something else serves it. */
  readonly contentPath: string | undefined
  needsCredential(capability: string): boolean
  converse(call: ConverseCall): Promise<ConverseReply>
  /** Counts a request that asks nothing. */
  admit(caller: Caller): Promise<RateVerdict>
  /** Reads the JSON body of a request, has `asked` make a converse request of it, and answers over HTTP as converse does. */
  ask(exchange: FaceExchange, asked: (json: unknown) => unknown): Promise<CoreResponse>
  /** A request to the concierge itself, counted as reading. */
  respond(request: CoreRequest): Promise<CoreResponse>
}

/** A face of one concierge. */
export interface OpenFace {
  /** The methods a path takes, as `Allow` lists them; undefined where the face has nothing. */
  methodsAt(path: string): string | undefined
  /** Answers a method it takes, and counts the request once. Links and CORS are added for it, and no body is sent to HEAD. */
  respond(exchange: FaceExchange): Promise<CoreResponse>
}

/** A request to a face, and who sent it. */
export interface FaceExchange {
  readonly request: CoreRequest
  readonly path: string
  readonly caller: Caller
}
