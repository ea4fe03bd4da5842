import type { Settings } from '../config/check-config.js'
import { type FaultOperation, OperationFailure } from '../errors/fault.js'
import { type MaybePromise, settle } from './maybe-promise.js'
import {
  type RequestContext,
  UpstreamArguments,
  UpstreamGetArguments,
  UpstreamListArguments,
} from './request-context.js'
import type { ListResult, Resource } from '../config/resource-config.js'
import { AadpServerError } from '../errors/server-error.js'
import { untilAborted } from './until-aborted.js'

/** The protocol's limit of items in one page. */
const MAX_ITEMS = 100

/** A checked result of `list`. */
export interface ListedRecords {
  readonly records: readonly unknown[]
  /** The cursor of the application that led here. */
  readonly cursor: string | null
  readonly nextCursor: string | null
}

/** Calls into the application: each waits no longer than it may, and says what failed. */
export interface Upstream {
  list(
    resource: Resource,
    cursor: string | null,
    locale: string | undefined,
    context: RequestContext,
  ): MaybePromise<ListedRecords>
  /** `null` or `undefined` when there is no such record. */
  get(
    resource: Resource,
    name: string,
    locale: string | undefined,
    context: RequestContext,
  ): MaybePromise<unknown>
  /** `undefined` when the resource does not count. */
  count(resource: Resource, context: RequestContext): MaybePromise<unknown>
}

export function createUpstream(settings: Settings): Upstream {
  const { pageSize, upstreamTimeoutMs, upstreamTimeoutStatus } = settings

  function call<Result>(
    operation: FaultOperation,
    place: OperationFailure['place'],
    run: (deadline?: AbortSignal) => unknown,
    read: (result: unknown) => Result,
  ): MaybePromise<Result> {
    function fail(cause: unknown): never {
      throw new OperationFailure(cause, operation, place)
    }
    try {
      const result =
        upstreamTimeoutMs === undefined
          ? settle(run())
          : withinTime(run, upstreamTimeoutMs, upstreamTimeoutStatus)
      return result instanceof Promise ? result.then(read).catch(fail) : read(result)
    } catch (error) {
      return fail(error)
    }
  }

  return {
    list(resource, cursor, locale, context) {
      return call(
        'list',
        { type: resource.type },
        (deadline) => resource.list(new UpstreamListArguments(cursor, pageSize, context, locale, deadline)),
        (result) => checkListResult(result, cursor, pageSize),
      )
    },

    get(resource, name, locale, context) {
      return call(
        'get',
        { type: resource.type, id: `${resource.type}:${name}` },
        (deadline) => resource.get(new UpstreamGetArguments(name, context, locale, deadline)),
        asItIs,
      )
    },

    count({ type, count }, context) {
      if (typeof count !== 'function') return count
      return call(
        'count',
        { type },
        (deadline) => count(new UpstreamArguments(context, undefined, deadline)),
        asItIs,
      )
    },
  }
}

function asItIs(result: unknown): unknown {
  return result
}

/** Whatever does not end in time goes on by itself; its outcome is ignored. */
function withinTime(
  run: (deadline: AbortSignal) => unknown,
  timeoutMs: number,
  status: number,
): MaybePromise<unknown> {
  const deadline = new AbortController()
  const result = settle(run(deadline.signal))
  if (!(result instanceof Promise)) return result
  const timer = setTimeout(() => {
    deadline.abort(new AadpServerError('upstream_timeout', status, 'The content could not be read in time.'))
  }, timeoutMs)
  return untilAborted(result, deadline.signal).finally(() => {
    clearTimeout(timer)
  })
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
  return { records: items as unknown[], cursor, nextCursor }
}
