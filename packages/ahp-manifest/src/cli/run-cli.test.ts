import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './run-cli.js'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ahp-manifest-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('ahp-manifest init', () => {
  it('writes a manifest that is valid, and says what to do with it', async () => {
    const file = join(folder, 'site', '.well-known', 'agent.json')
    const made = await run('init', file, '--name', 'The Book Shelf', '--ask')
    expect(made.code).toBe(0)
    expect(made.printed).toContain('rel="ahp-manifest agent-manifest"')
    expect(made.printed).toContain('class="ahp-notice"')
    expect(made.printed).toContain('Content-Signal: search=yes, ai-input=yes, ai-train=no')
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      name: 'The Book Shelf',
      modes: ['MODE1', 'MODE2'],
    })
    expect(await run('validate', file)).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/\nvalid$/) as string,
    })
  })

  it('has nothing left to warn of where the limit is stated, and says what is to be written', async () => {
    const file = join(folder, 'agent.json')
    const { printed } = await run('init', file, '--name', 'The Book Shelf', '--rate-limit', '120/minute')
    expect(printed).toContain('Write /llms.txt')
    expect(printed).toContain('# The Book Shelf\n\n## Pages\n\n- [Home](/)\n')
    expect(await run('validate', file)).toEqual({ code: 0, printed: 'valid', complained: '' })
    expect(await run('init', file, '--rate-limit', 'often', '--force')).toMatchObject({
      code: 2,
      complained: expect.stringContaining('such as 120/minute') as string,
    })
  })

  it('replaces a file only when forced', async () => {
    const file = join(folder, 'agent.json')
    await writeFile(file, 'mine')
    expect(await run('init', file)).toMatchObject({
      code: 2,
      complained: expect.stringContaining('exists; --force') as string,
    })
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect((await run('init', file, '--force', '--description', 'Reviews')).code).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      description: 'Reviews',
      modes: ['MODE1'],
    })
  })
})

describe('ahp-manifest validate', () => {
  const validate = async (document: unknown, ...flags: string[]): ReturnType<typeof run> => {
    const file = join(folder, 'given.json')
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document))
    return run('validate', file, ...flags)
  }
  const lower = { ahp: '0.1', modes: ['MODE2'], content_signals: { ai_input: true }, extra: 1 }

  it('names each issue with its place, its code and its rule', async () => {
    const { code, printed } = await validate(lower)
    expect(code).toBe(1)
    expect(printed).toContain(
      'error /extra additionalProperties: This member is not defined here. [AHP01-MAN-001]',
    )
    expect(printed).toContain('error /modes modes_not_cumulative:')
    expect(printed).toMatch(/\nnot valid$/)
  })

  it('is content with what an agent can use when tolerant', async () => {
    expect(await validate(lower, '--tolerant')).toMatchObject({ code: 0 })
    expect(await validate({ ...lower, modes: [] }, '--tolerant')).toMatchObject({ code: 1 })
  })

  it.each([[], ['--tolerant']])('tells a missing signal once %j', async (...flags) => {
    const { printed } = await validate({ ahp: '0.1', modes: ['MODE1'], content_signals: {} }, ...flags)
    expect(printed.match(/\/content_signals\/ai_input/g)).toHaveLength(1)
  })

  it('prints JSON for programs', async () => {
    const { code, printed } = await validate(lower, '--json')
    expect(code).toBe(1)
    const { valid, issues } = JSON.parse(printed) as { valid: boolean; issues: object[] }
    expect(valid).toBe(false)
    expect(issues).toContainEqual(
      expect.objectContaining({ path: '/extra', rule: 'AHP01-MAN-001', level: 'error' }),
    )
  })

  it.each([
    ['an A2A card', { url: 'https://a.example', protocolVersion: '0.3.0', skills: [] }, 'a2a_agent_card'],
    ['a page', '<html>', 'not_json'],
    ['another document', { type: 'https://eips.ethereum.org/EIPS/eip-8004' }, 'other_document'],
  ])('says so when it gets %s', async (_, document, code) => {
    for (const flags of [[], ['--tolerant']])
      expect(await validate(document, ...flags)).toMatchObject({
        code: 1,
        printed: expect.stringContaining(code) as string,
      })
  })
})

describe('ahp-manifest', () => {
  it('explains itself', async () => {
    expect(await run('--help')).toMatchObject({
      code: 0,
      printed: expect.stringContaining('Usage') as string,
    })
    expect(await run()).toMatchObject({ code: 2, complained: expect.stringContaining('Usage') as string })
    expect(await run('--version')).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    })
  })

  it.each([
    [['other'], '"other" is no command. Try ahp-manifest --help.'],
    [['validate'], 'validate takes one file, or - for standard input'],
    [['validate', 'a', 'b'], 'validate takes one file, or - for standard input'],
    [['validate', '/does/not/exist'], '/does/not/exist cannot be read or written (ENOENT).'],
    [['validate', 'a', '--unknown'], "Unknown option '--unknown'. Try ahp-manifest --help."],
    [['init', 'a', 'b'], 'init takes at most one file'],
  ])('refuses %j', async (args, problem) => {
    expect(await run(...args)).toEqual({ code: 2, printed: '', complained: `ahp-manifest: ${problem}` })
  })
})

async function run(...args: string[]): Promise<{ code: number; printed: string; complained: string }> {
  const printed: string[] = []
  const complained: string[] = []
  const code = await runCli(args, {
    print: (text) => printed.push(text),
    printError: (text) => complained.push(text),
  })
  return { code, printed: printed.join('\n'), complained: complained.join('\n') }
}
