import type { Settings } from './check-config.js'
import { type FaultOperation, OperationFailure } from './fault.js'
import { type RequestContext, upstreamArguments } from './request-context.js'
import type { ListResult, Resource, UpstreamContext } from './resource-config.js'
import { AadpServerError } from './server-error.js'

/** The protocol's limit of items in one page. */
const MAX_ITEMS = 100

/** A checked result of `list`. */
export interface ListedRecords {
  readonly records: readonly unknown[]
  readonly nextCursor: string | null
}

/** Calls into the application: each waits no longer than it may, and says what failed. */
export interface Upstream {
  list(
    resource: Resource,
    cursor: string | null,
    locale: string | undefined,
    context: RequestContext,
  ): Promise<ListedRecords>
  /** `undefined` when there is no such record. */
  get(resource: Resource, name: string, locale: string | undefined, context: RequestContext): Promise<unknown>
  /** `undefined` when the resource does not count. */
  count(resource: Resource, context: RequestContext): Promise<unknown>
}

export function createUpstream(settings: Settings): Upstream {
  const { pageSize, upstreamTimeoutMs, upstreamTimeoutStatus } = settings

  async function call<Extra extends object, Result>(
    operation: FaultOperation,
    place: { readonly type: string; readonly id?: string },
    run: (args: Extra & UpstreamContext) => Result | Promise<Result>,
    context: RequestContext,
    locale: string | undefined,
    extra: Extra,
  ): Promise<Result> {
    try {
      if (upstreamTimeoutMs === undefined) return await run(upstreamArguments(context, locale, extra))
      const deadline = new AbortController()
      const args = upstreamArguments(context, locale, extra, deadline.signal)
      return await withinTime(() => run(args), upstreamTimeoutMs, upstreamTimeoutStatus, deadline)
    } catch (error) {
      throw new OperationFailure(error, operation, place)
    }
  }

  return {
    async list(resource, cursor, locale, context) {
      const place = { type: resource.type }
      const result: unknown = await call('list', place, resource.list, context, locale, {
        cursor,
        limit: pageSize,
      })
      try {
        return checkListResult(result, cursor, pageSize)
      } catch (error) {
        throw new OperationFailure(error, 'list', place)
      }
    },

    async get(resource, name, locale, context) {
      const place = { type: resource.type, id: `${resource.type}:${name}` }
      return (await call('get', place, resource.get, context, locale, { id: name })) ?? undefined
    },

    async count(resource, context) {
      const { count } = resource
      if (typeof count !== 'function') return count
      return call('count', { type: resource.type }, count, context, undefined, {})
    },
  }
}

/** Whatever does not end in time goes on by itself; its outcome is ignored. */
async function withinTime<Result>(
  run: () => Result | Promise<Result>,
  timeoutMs: number,
  status: number,
  deadline: AbortController,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new AadpServerError('upstream_timeout', status, 'The content could not be read in time.')
      deadline.abort(error)
      reject(error)
    }, timeoutMs)
  })
  try {
    return await Promise.race([run(), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function checkListResult(result: unknown, cursor: string | null, limit: number): ListedRecords {
  if (typeof result !== 'object' || result === null) throw new TypeError('list must return an object')
  const { items, nextCursor } = result as Partial<ListResult<unknown>>
  if (!Array.isArray(items)) throw new TypeError('list must return an array of items')
  if (nextCursor !== null && typeof nextCursor !== 'string')
    throw new TypeError('nextCursor must be a string or null')
  if (items.length > MAX_ITEMS) {
    throw new RangeError(`list returned ${String(items.length)} items for a limit of ${String(limit)}`)
  }
  if (nextCursor !== null && nextCursor === cursor)
    throw new RangeError('list returned the cursor it was given')
  return { records: items as unknown[], nextCursor }
}
