import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { printedCommands, runPrinted } from './printed-commands.js'
import { outputOf, startExample, type StartOptions } from './run-example.js'

/** A site as a guide prints it, and the part of the guide whose commands are put to it. */
interface Printed extends StartOptions {
  readonly guide: string
  readonly section?: string
  readonly example: string
  /** What each command prints that was run. */
  readonly prints: readonly string[]
}

const DOCUMENTS = [join(import.meta.dirname, 'documents')]
const CERTIFIED = 'RESULT: PASSED'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-commands-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

async function outputs({ guide, section, example, args, env }: Printed): Promise<string[]> {
  const cwd = await mkdtemp(join(folder, 'site-'))
  await using site = await startExample(example, { ...(args && { args }), ...(env && { env }), cwd })
  const printed: string[] = []
  for (const command of printedCommands(guide, section))
    printed.push(await runPrinted(command, site.origin, cwd))
  return printed
}

describe('what a guide prints does what it says:', () => {
  test.for<Printed>([
    {
      guide: 'be-found',
      example: 'find/signals.js',
      prints: ['rel="describedby"', 'Content-Signal: search=yes', CERTIFIED],
    },
    {
      guide: 'llms-txt-to-mode3',
      section: 'MODE1',
      example: 'ask/mode1-server.js',
      prints: [CERTIFIED],
    },
    { guide: 'secure-fetching', example: 'fetch/preview.js', prints: ['blocked'] },
  ])('$guide $section', async (printed) => {
    const { prints } = printed
    expect(await outputs(printed)).toEqual(prints.map((text) => expect.stringContaining(text) as unknown))
  })

  // The runs wait until the sites let them ask again, for a minute.
  test.concurrent.for<Printed>([
    {
      guide: 'answer-questions',
      example: 'ask/mode2.js',
      args: DOCUMENTS,
      prints: ['A refund takes five days.', CERTIFIED, CERTIFIED],
    },
    {
      guide: 'llms-txt-to-mode3',
      section: 'MODE2',
      example: 'ask/mode2.js',
      args: DOCUMENTS,
      prints: [CERTIFIED],
    },
    {
      guide: 'llms-txt-to-mode3',
      section: 'MODE3',
      example: 'ask/mode3.js',
      args: DOCUMENTS,
      env: {
        AGENT_TOKEN: 'the-agents-secret',
        CALLBACK_SECRET: `whsec_${btoa('a secret of the callbacks')}`,
      },
      prints: ['The money is on its way.', CERTIFIED],
    },
  ])(
    '$guide $section (skipped unless TEST_DOCS is 1)',
    { skip: process.env.TEST_DOCS !== '1', timeout: 180_000 },
    async (printed, { expect: expectHere }) => {
      const { prints } = printed
      expectHere(await outputs(printed)).toEqual(
        prints.map((text) => expectHere.stringContaining(text) as unknown),
      )
    },
  )

  test.concurrent(
    'certify, in a program (skipped unless TEST_DOCS is 1)',
    { skip: process.env.TEST_DOCS !== '1', timeout: 180_000 },
    async ({ expect: expectHere }) => {
      await using site = await startExample('ask/mode2.js', { args: DOCUMENTS })
      expectHere(await outputOf('verify/certify-ask.js', site.origin)).toContain(CERTIFIED)
    },
  )
})
