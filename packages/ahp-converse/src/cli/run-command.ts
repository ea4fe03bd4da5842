import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { rootCertificates } from 'node:tls'
import { createSafeFetch, isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import { isConverseError, visit, type FinalReply, type JobHandle, type Reply, type Site } from '../client.js'
import { parseCommand, USAGE, UsageError, type Command, type CommonArguments } from './arguments.js'
import { describeSite } from './describe-site.js'
import { Dialogue } from './dialogue.js'
import { plainJson, plainLine, plainText } from './plain-text.js'
import type { Terminal } from './terminal.js'

const { version } = createRequire(import.meta.url)('@doorplate/ahp-converse/package.json') as {
  readonly version: string
}

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 130

export interface CommandContext {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal
}

/** Does what a command line asks for. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  const { terminal, env, signal } = context
  let fetch: SafeFetch | undefined
  try {
    const command = parseCommand(args, env)
    if (command.name === 'help' || command.name === 'version') {
      await terminal.out(command.name === 'help' ? USAGE : `${version}\n`)
      return 0
    }
    fetch = openFetch(command)
    return await perform(command, await visit(command.url, { ...command.visit, fetch, signal }), context)
  } catch (error) {
    if (signal.aborted) return 130
    return explain(error, terminal)
  } finally {
    await fetch?.close()
  }
}

function openFetch({ dangerouslyAllow, ca }: CommonArguments): SafeFetch {
  if (ca.length === 0) return createSafeFetch({ dangerouslyAllow })
  return createSafeFetch({ dangerouslyAllow, ca: [...rootCertificates, ...ca.map(readCertificate)] })
}

function readCertificate(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8')
    new X509Certificate(pem)
    return pem
  } catch (cause) {
    throw new UsageError(`--ca needs a file with a certificate as PEM, not ${path}.`, { cause })
  }
}

async function perform(
  command: Exclude<Command, { name: 'help' | 'version' }>,
  site: Site,
  { terminal, signal }: CommandContext,
): Promise<ExitCode> {
  switch (command.name) {
    case 'visit': {
      const { manifestUrl, foundBy, warnings, manifest } = site
      const data = { manifestUrl, foundBy, warnings, manifest }
      await terminal.out(command.json ? plainJson(data) : describeSite(site))
      return 0
    }
    case 'read': {
      const content = await site.readContent({ signal })
      const text = `${plainText(content.text).trimEnd()}\n`
      await terminal.out(command.json ? plainJson(content) : text)
      return 0
    }
    case 'ask': {
      const { question } = command
      const asksBack = terminal.isInteractive && !command.json
      const session = site.session(question.sessionId)
      return exitCodeOf(
        await new Dialogue(terminal, { ...command, asksBack, signal }).hold(session, question),
      )
    }
    case 'wait': {
      // What the work asks back cannot be answered: the question is not known here.
      const dialogue = new Dialogue(terminal, { ...command, asksBack: false, signal })
      return exitCodeOf(await dialogue.collect(site.job(jobHandle(command.job))))
    }
  }
}

/** A job by its address, or by its id. */
function jobHandle(job: string): JobHandle {
  if (!job.includes('/')) return { jobId: job }
  return { jobId: job, pollUrl: job }
}

function exitCodeOf({ status }: Reply | FinalReply): ExitCode {
  switch (status) {
    case 'success':
      return 0
    case 'error':
    case 'failed':
    case 'expired':
      return 1
    case 'clarification_needed':
      return 4
    case 'accepted':
      return 5
  }
}

function explain(error: unknown, terminal: Terminal): ExitCode {
  const isUsage = error instanceof UsageError || isConverseError(error, 'invalid_option')
  if (isUsage || (isSafeFetchError(error) && error.code === 'invalid_option')) {
    terminal.err(`${plainLine((error as Error).message)}\n\nTry ahp --help.\n`)
    return 2
  }
  const code = isConverseError(error) ? ` (${error.code})` : ''
  terminal.err(`${plainLine(error instanceof Error ? error.message : String(error), 800)}${code}\n`)
  if (isConverseError(error, 'blocked_url'))
    terminal.err('For a site of your own: --dangerously-allow <host>, such as localhost:3000.\n')
  if (isConverseError(error) && isSafeFetchError(error.cause) && error.cause.code === 'tls_failed')
    terminal.err('For a certificate of your own: --ca <file>.\n')
  return 3
}
