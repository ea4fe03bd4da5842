import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runRunnerCli } from '@doorplate/conformance-kit/cli'
import { startServer, type LoopbackServer } from '@internal/loopback'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { conformanceCli } from '../src/conformance-cli.js'
import { TOKEN } from './good-concierge.js'
import { createGoodSite } from './good-site.js'
import type { Reply } from './site-message.js'

/** A title for the terminal, a bell, colours, a cursor that goes up, C1, direction, invisible and tag characters. */
const HOSTILE = [
  '\u001b]0;owned\u0007',
  '\u001b[2J\u001b[1A\u001b[32mPASS',
  '\u009b31m\u009d0;x\u009c',
  '\r\n  PASS  everything\u2028\u2029\u0085',
  '\u202egnp.exe\u2066\u2069\u061c\u200e\u200f',
  '\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u115f\u3164\uffa0\ufe0f\u{e0100}',
  '\u{e0001}\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e007f}',
  '\ud800\ufffe\u{10ffff}\u0000',
].join('')

/** What a terminal, an editor or a reader acts on without showing it; line feeds and tabs in reports are ours. */
const ACTED_ON =
  /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u

/** Members that a run reads on by: spoilt, they would end it. */
const KEPT: ReadonlySet<string> = new Set(['status', 'session_id', 'poll', 'ahp', 'jsonrpc', 'id', 'scope'])

/** A value with an addition to its texts. */
function spoilt(value: unknown, addition: string, isMeant: (name: string) => boolean, name = ''): unknown {
  if (typeof value === 'string') return isMeant(name) ? value + addition : value
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([own, member]) => [own, spoilt(member, addition, isMeant, own)])
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

let server: LoopbackServer | undefined
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ahp-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true })
  await server?.close()
})

describe('what a site says', () => {
  it.each([
    ['is hostile', HOSTILE],
    ['is a megabyte long', 'x'.repeat(1_000_000)],
  ])('does nothing to the terminal, and nothing to reports, where it %s', async (_, addition) => {
    const isHostile = addition === HOSTILE
    const spoil = (reply: Reply, path: string): void => {
      const isManifest = path === '/.well-known/agent.json'
      const isMeant = (name: string): boolean =>
        isManifest ? isHostile && name === 'description' : isHostile ? !KEPT.has(name) : name === 'code'
      if (typeof reply.body === 'object') reply.body = spoilt(reply.body, addition, isMeant)
      const type = reply.headers['content-type']
      if (isHostile && type !== undefined) reply.headers['content-type'] = `${type}; \u009b31m`
    }
    server = await startServer(
      createGoodSite({
        now: Date.now,
        limit: 10_000,
        fault: {
          reply: (reply, { path }) => {
            spoil(reply, path)
          },
        },
      }),
    )
    const files = ['output', 'junit', 'sarif', 'markdown', 'request-log'].map(
      (name) => [name, join(folder, name)] as const,
    )
    const texts: string[] = []
    const terminal = {
      stdout: { write: (text: string) => texts.push(text) },
      stderr: { write: (text: string) => texts.push(text) },
      env: {},
      signal: new AbortController().signal,
    }
    const argv = [server.origin, '--allow-private-network', '--token', TOKEN]
    await runRunnerCli(
      conformanceCli,
      [...argv, ...files.flatMap(([name, path]) => [`--${name}`, path])],
      terminal,
    )
    await runRunnerCli(conformanceCli, ['diff', join(folder, 'output'), join(folder, 'output')], terminal)
    const printed = texts.join('')
    expect(printed).toContain('FAIL')
    expect(printed).toContain(isHostile ? '\\u001b' : '… (')
    for (const text of [printed, ...files.map(([, path]) => readFileSync(path, 'utf8'))]) {
      expect(ACTED_ON.exec(text.replaceAll('⚠️', ''))?.[0]).toBeUndefined()
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(20_000)
    }
  })
})
