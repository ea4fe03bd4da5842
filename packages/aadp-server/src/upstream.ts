import type { Settings } from './check-config.js'
import { OperationFailure } from './fault.js'
import {
  type RequestContext,
  UpstreamArguments,
  UpstreamGetArguments,
  UpstreamListArguments,
} from './request-context.js'
import type { ListResult, Resource } from './resource-config.js'
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
  /** `null` or `undefined` when there is no such record. */
  get(resource: Resource, name: string, locale: string | undefined, context: RequestContext): Promise<unknown>
  /** `undefined` when the resource does not count. */
  count(resource: Resource, context: RequestContext): Promise<unknown>
}

export function createUpstream(settings: Settings): Upstream {
  const { pageSize, upstreamTimeoutMs, upstreamTimeoutStatus } = settings

  function bounded<Result>(
    run: (deadline?: AbortSignal) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    return upstreamTimeoutMs === undefined ? run() : withinTime(run, upstreamTimeoutMs, upstreamTimeoutStatus)
  }

  return {
    async list(resource, cursor, locale, context) {
      try {
        const result: unknown = await bounded((deadline) =>
          resource.list(new UpstreamListArguments(cursor, pageSize, context, locale, deadline)),
        )
        return checkListResult(result, cursor, pageSize)
      } catch (error) {
        throw new OperationFailure(error, 'list', { type: resource.type })
      }
    },

    async get(resource, name, locale, context) {
      try {
        return await bounded((deadline) =>
          resource.get(new UpstreamGetArguments(name, context, locale, deadline)),
        )
      } catch (error) {
        throw new OperationFailure(error, 'get', { type: resource.type, id: `${resource.type}:${name}` })
      }
    },

    async count({ type, count }, context) {
      if (typeof count !== 'function') return count
      try {
        return await bounded((deadline) => count(new UpstreamArguments(context, undefined, deadline)))
      } catch (error) {
        throw new OperationFailure(error, 'count', { type })
      }
    },
  }
}

/** Whatever does not end in time goes on by itself; its outcome is ignored. */
async function withinTime<Result>(
  run: (deadline: AbortSignal) => Result | Promise<Result>,
  timeoutMs: number,
  status: number,
): Promise<Result> {
  const deadline = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = new AadpServerError('upstream_timeout', status, 'The content could not be read in time.')
      deadline.abort(error)
      reject(error)
    }, timeoutMs)
  })
  try {
    return await Promise.race([run(deadline.signal), tooLate])
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
