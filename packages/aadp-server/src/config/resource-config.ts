/** Kinds of media that the entities of a type hold. */
export type MediaType = 'text' | 'image' | 'video' | 'audio' | 'file'

/** What every call into the application gets. Take it apart by name: a spread copy has no `signal` and no `request`. */
export interface UpstreamContext {
  /** The negotiated locale; absent when the resource declares no `locales`. */
  readonly locale?: string
  /** Aborts when the requester has gone or `upstreamTimeoutMs` has passed. */
  readonly signal: AbortSignal
  /** The request being answered; built on first use under node:http, absent when a document is asked for directly or made for many. */
  readonly request?: Request | undefined
}

export interface ListArguments extends UpstreamContext {
  /** `null` for the first page, else a `nextCursor` that `list` gave before; any text, to be checked, without `cursorSecret`. */
  readonly cursor: string | null
  /** How many records to return, 1 to 100. */
  readonly limit: number
}

/** A page of records, as `list` gives it. */
export interface ListResult<Item> {
  /** At most `limit` records in a stable order. Fewer with a `nextCursor` of null says that the listing ends here. */
  readonly items: readonly Item[]
  /** Where the next page starts, or `null` after the last. */
  readonly nextCursor: string | null
}

export interface GetArguments extends UpstreamContext {
  /** The name part of the entity id: `hello` of `post:hello`. */
  readonly id: string
}

/** What `serialize` and `markdown` are told besides the record. */
export interface SerializeContext {
  /** The negotiated locale; absent when the resource declares no `locales`. */
  readonly locale?: string
}

/** A record as it is published. */
export interface SerializedEntity {
  /** `type:name`, e.g. `post:hello`. The name matches `^[a-z][a-z0-9_-]*$` and has 512 characters at most. */
  readonly id: string
  /** When the record last changed: a `Date`, or text in RFC 3339 form with time and zone. */
  readonly updatedAt: string | Date
  /** The page for people, absolute or relative to `baseUrl`. */
  readonly canonicalUrl?: string
  /** BCP 47 tag of `data`. Default: the negotiated locale. */
  readonly locale?: string
  /** An object of plain JSON; the checksum covers exactly this. */
  readonly data: object
  /** Members named `x_...`, published beside `data` and not part of the checksum. */
  readonly extensions?: Readonly<Record<`x_${string}`, unknown>>
}

/** Which record this is and in which state, known without serialising it. */
export interface RecordIdentity {
  /** The part of the entity id after `type:`, as `get` receives it. */
  readonly name: string
  /** Differs whenever anything that `serialize` gives differs. Default: `updatedAt`. */
  readonly version?: string | number
  readonly updatedAt?: string | Date
}

/** One type of entity: where its records come from and what they look like to an agent. */
export interface ResourceConfig<Item = unknown> {
  /** Type token: a lower-case letter, then lower-case letters, digits, `_` and `-`. */
  readonly type: string
  readonly mediaTypes?: readonly MediaType[]
  /** A key of `securitySchemes`. It is published and stops shared caching; checking credentials is up to the application. */
  readonly security?: string
  /** Published locales, the default first. */
  readonly locales?: readonly [string, ...string[]]
  /** How many entities there are, for the sitemap index. Default: not published. */
  readonly count?: number | ((context: UpstreamContext) => number | Promise<number>)
  /** One page of records. */
  list(args: ListArguments): ListResult<Item> | Promise<ListResult<Item>>
  /** One record, or `null` when there is none. */
  get(args: GetArguments): Item | null | undefined | Promise<Item | null | undefined>
  serialize(record: Item, context: SerializeContext): SerializedEntity
  /** Lets an unchanged record be published again without serialising it. Default: every record is serialised and compared. */
  identify?(record: Item): RecordIdentity
  /** The record as Markdown, for requests that prefer `text/markdown`. */
  markdown?(record: Item, context: SerializeContext): string | Promise<string>
  /** Published in the manifest. */
  readonly [extension: `x_${string}`]: unknown
}

/** A checked, frozen resource, as `defineResource` returns it. */
export type Resource<Item = unknown> = Readonly<ResourceConfig<Item>>
