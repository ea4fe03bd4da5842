import { createRequire } from 'node:module'
import { createSafeFetch, isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import {
  createDiscoveryBudget,
  discoverAllEntities,
  isAadpClientError,
  syncEntities,
  type ClientOptions,
  type DiscoverAllEntitiesOptions,
  type RunSummary,
  type SyncSummary,
} from '../index.js'
import { resolveClientOptions } from '../options/client-options.js'
import { manifestUrl } from '../reading/fetch-document.js'
import { Reader } from '../reading/reader.js'
import { unknownTypes } from '../run/unknown-names.js'
import type { SqliteStore } from '../stores/sqlite-store.js'
import { WIRE_V1 } from '../documents/wire.js'
import { applicationTree } from './application-tree.js'
import { jsonText } from './json-text.js'
import { parseCommand, USAGE, UsageError, type Command, type Request } from './arguments.js'
import { plainText } from './plain-text.js'
import { progressLine } from './progress-line.js'
import { summaryTable } from './summary-table.js'

const { version } = createRequire(import.meta.url)('@doorplate/aadp-client/package.json') as {
  readonly version: string
}

/** Where a command writes. */
export interface Terminal {
  /** Resolves when more may be written. */
  out(text: string): Promise<void>
  err(text: string): void
  /** Whether `err` is a terminal, on which a line can be drawn again. */
  readonly isInteractive: boolean
}

export type ExitCode = 0 | 1 | 2 | 3 | 130

/** Does what a command line asks for. */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  let fetch: SafeFetch | undefined
  try {
    const command = parseCommand(args)
    if (command.name === 'help' || command.name === 'version') {
      await terminal.out(command.name === 'help' ? USAGE : `${version}\n`)
      return 0
    }
    fetch = createSafeFetch({ dangerouslyAllow: command.request.dangerouslyAllow })
    return await perform(command, fetch, terminal, signal)
  } catch (error) {
    if (signal.aborted) return 130
    return explain(error, terminal)
  } finally {
    await fetch?.close()
  }
}

function explain(error: unknown, terminal: Terminal): ExitCode {
  const isUsage = error instanceof UsageError || isAadpClientError(error, 'invalid_option')
  if (isUsage || (isSafeFetchError(error) && error.code === 'invalid_option')) {
    terminal.err(`${(error as Error).message}\n\nTry aadp-read --help.\n`)
    return 2
  }
  const code = isAadpClientError(error) ? ` (${error.code})` : ''
  terminal.err(`${plainText(error instanceof Error ? error.message : String(error), 500)}${code}\n`)
  if (isAadpClientError(error, 'blocked_url')) {
    terminal.err(
      'Only public addresses are asked. --allow-private-network lets the host that is given be a private one, ' +
        '--dangerously-allow any that it lists.\n',
    )
  } else if (isAadpClientError(error, 'network_error') && isSafeFetchError(error.cause)) {
    terminal.err(`${plainText(error.cause.message, 500)}\n`)
  }
  return 3
}

async function perform(
  command: Extract<Command, { request: Request }>,
  fetch: SafeFetch,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const { request } = command
  const client = { ...request.client, fetch, signal }
  const whole = { ...client, ...request.limits, ...request.walk }
  switch (command.name) {
    case 'tree':
      return printTree(request, { ...client, budget: createDiscoveryBudget(request.limits) }, terminal)
    case 'entities':
      return printEntities(request, whole, terminal)
    case 'sync':
      return syncInto(command.store, request, whole, terminal)
  }
}

async function printTree(
  { origin, json, walk: { types } }: Request,
  options: ClientOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const url = manifestUrl(origin)
  const reader = new Reader(WIRE_V1, url, resolveClientOptions(options))
  const manifest = await reader.document('manifest', url)
  const index = await reader.document('sitemap-index', WIRE_V1.sitemapIndexUrl(manifest))
  const isAsked = ({ type }: { readonly type: string }): boolean => types?.includes(type) !== false
  const asked = {
    manifest: manifest.resources ? { ...manifest, resources: manifest.resources.filter(isAsked) } : manifest,
    index: { ...index, sitemaps: index.sitemaps.filter(isAsked) },
  }
  for (const message of unknownTypes(types, index.sitemaps))
    terminal.err(`warning unknown_type: ${message}\n`)
  await terminal.out(json ? `${jsonText(asked, 2)}\n` : applicationTree(asked.manifest, asked.index))
  return 0
}

async function printEntities(
  { origin }: Request,
  options: DiscoverAllEntitiesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const entities = discoverAllEntities(origin, options)
  for await (const entity of entities) await terminal.out(`${jsonText(entity)}\n`)
  terminal.err(summaryTable(entities.summary))
  return exitCodeOf(entities.summary)
}

async function syncInto(
  path: string,
  { origin, json }: Request,
  options: DiscoverAllEntitiesOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const store = await openStore(path)
  const sync = syncEntities(origin, { ...options, store })
  const progress = terminal.isInteractive && !json ? drawProgress(() => sync.summary, terminal) : undefined
  try {
    for await (const event of sync) if (json) await terminal.out(`${jsonText(event)}\n`)
  } finally {
    progress?.stop()
    store.close()
  }
  await terminal.out(
    json ? `${jsonText({ kind: 'summary', ...sync.summary })}\n` : summaryTable(sync.summary),
  )
  return exitCodeOf(sync.summary)
}

async function openStore(path: string): Promise<SqliteStore> {
  try {
    const { createSqliteStore } = await import('../stores/sqlite-store.js')
    return createSqliteStore(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND')
      throw new UsageError('--store keeps its mirror in SQLite: run npm install better-sqlite3 first.')
    throw new UsageError(`--store ${path} cannot be opened: ${(error as Error).message}`)
  }
}

function drawProgress(summary: () => SyncSummary, terminal: Terminal): { stop(): void } {
  const timer = setInterval(() => {
    const { created, updated, unchanged, announced, bytes, durationMs } = summary()
    const line = progressLine({
      done: created + updated + unchanged,
      total: announced,
      bytes,
      elapsedMs: durationMs,
    })
    terminal.err(`\r\x1b[K${line}`)
  }, 200)
  return {
    stop() {
      clearInterval(timer)
      terminal.err('\r\x1b[K')
    },
  }
}

function exitCodeOf({ complete }: RunSummary): ExitCode {
  return complete ? 0 : 1
}
