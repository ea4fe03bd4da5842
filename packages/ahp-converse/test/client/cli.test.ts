import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTlsServer } from '@internal/loopback'
import { expect, describe, it } from 'vitest'
import { runCommand, type ExitCode } from '../../src/cli/run-command.js'
import { ScriptedSite, bookShop, refusal, success } from './scripted-site.js'

interface Run {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

interface Setting {
  /** What somebody types, line by line; without it nobody sits there. */
  readonly typed?: readonly string[]
  readonly isErrTerminal?: boolean
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

async function run(args: readonly string[], setting: Setting = {}): Promise<Run> {
  let out = ''
  let err = ''
  const lines = [...(setting.typed ?? [])]
  const code = await runCommand(args, {
    env: setting.env ?? {},
    signal: setting.signal ?? new AbortController().signal,
    terminal: {
      out(text) {
        out += text
        return Promise.resolve()
      },
      err(text) {
        err += text
      },
      isErrTerminal: setting.isErrTerminal ?? false,
      isInteractive: setting.typed !== undefined,
      prompt(question) {
        out += question
        return Promise.resolve(lines.shift())
      },
    },
  })
  return { code, out, err }
}

function at(site: ScriptedSite, command: string, ...args: readonly string[]): string[] {
  return [command, site.origin, ...args, '--dangerously-allow', site.host]
}

const QUESTION = {
  body: {
    status: 'clarification_needed',
    session_id: 's-1',
    clarification: { question: 'The book or the film?', options: ['the book', 'the film'] },
  },
}

describe('ahp visit', () => {
  it('prints what a site offers', async () => {
    await using site = await ScriptedSite.start(
      bookShop({ description: 'Reviews.', integrations: { mcp: { url: '/mcp' } } }),
    )
    const { code, out } = await run(at(site, 'visit'))
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'The Book Shelf',
        '  about      Reviews.',
        `  manifest   ${site.origin}/.well-known/agent.json (found by well-known)`,
        '  protocol   AHP 0.1: MODE1, MODE2, MODE3',
        '  content    /llms.txt',
        '  questions  /agent/converse',
        '  access     bearer',
        '  limit      30/minute',
        '  signals    ai_train no, ai_input yes, search yes, attribution_required yes',
        `  mcp        ${site.origin}/mcp`,
        '',
        'Capabilities',
        '  book_search    MODE2         Finds reviews by title, author or subject',
        '  opening_hours  MODE2         Says when the shop is open',
        '  order_book     MODE3 action  Orders a book (needs a credential)',
        '  ask_a_person   MODE3 async   A bookseller answers (needs a credential)',
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await run(at(site, 'visit', '--json'))).out)).toMatchObject({
      foundBy: 'well-known',
      manifest: { name: 'The Book Shelf' },
    })
  })

  it('prints nothing that could steer a terminal', async () => {
    const evil = 'A\u001b[2J\u202eB\nC\u009b1m'
    await using site = await ScriptedSite.start(bookShop({ name: evil, description: evil }))
    site.onAsk(success(evil, { session_id: evil }, { sources: [{ title: evil, url: '/x' }] }))
    const all = [await run(at(site, 'visit')), await run(at(site, 'ask', 'Dune'))]
    const asJson = [await run(at(site, 'visit', '--json')), await run(at(site, 'ask', 'Dune', '--json'))]
    expect(asJson.map(({ out }) => JSON.parse(out) as unknown)).toMatchObject([
      { manifest: { name: evil } },
      { answer: evil },
    ])
    all.push(...asJson)
    for (const { out, err } of all) expect((out + err).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
  })

  it('names no mode that a site neither declares nor has anything of', async () => {
    await using site = await ScriptedSite.start(
      bookShop({
        modes: ['MODE3'],
        endpoints: { converse: '/agent/converse' },
        capabilities: [
          {
            name: 'order_book',
            description: 'Orders a book',
            mode: 'MODE3',
            action_type: 'action',
            input_schema: {},
            output_schema: {},
          },
        ],
      }),
    )
    expect((await run(at(site, 'visit'))).out).toContain(
      'AHP 0.1: MODE3 (the modes below are not declared)\n',
    )
    expect(await run(at(site, 'ask', 'Dune?'))).toMatchObject({
      code: 3,
      err: expect.stringContaining('It offers order_book, which has to be named.') as string,
    })
    expect(await run(at(site, 'read'))).toMatchObject({
      code: 3,
      err: expect.stringContaining('The manifest names no content.') as string,
    })
  })

  it('takes a host alone as https, and as http on this machine', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const { port } = new URL(site.origin)
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}/`])
      expect((await run(['visit', host, '--dangerously-allow', new URL(`http://${host}`).host])).code).toBe(0)
    expect((await run(['visit', '192.0.2.1'])).err).toContain('https://192.0.2.1/')
    expect((await run(['visit', '127.0.0.1.books.invalid'])).err).toContain(
      'https://127.0.0.1.books.invalid/',
    )
  })

  it('trusts a certificate authority that it is told of', async () => {
    const server = await startTlsServer(['127.0.0.1'], (_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(bookShop()))
    })
    const folder = mkdtempSync(join(tmpdir(), 'ahp-'))
    try {
      const path = join(folder, 'ca.pem')
      writeFileSync(path, server.ca)
      const visiting = ['visit', server.origin, '--dangerously-allow', server.host]
      expect(await run(visiting)).toMatchObject({
        code: 3,
        err: expect.stringMatching(/TLS handshake failed\.[^]*--ca/) as string,
      })
      expect((await run([...visiting, '--ca', path])).code).toBe(0)
      writeFileSync(path, 'no certificate')
      expect((await run([...visiting, '--ca', path])).code).toBe(2)
      expect((await run([...visiting, '--ca', join(folder, 'absent')])).code).toBe(2)
    } finally {
      rmSync(folder, { recursive: true })
      await server.close()
    }
  })

  it('says why a host cannot be reached', async () => {
    expect((await run(['visit', 'books.invalid'])).err).toMatch(
      /^The request failed: https:\/\/books\.invalid\/\.well-known\/agent\.json\. .+\. \(network_error\)\n$/,
    )
  })

  it('says that a site cannot be visited', async () => {
    await using site = await ScriptedSite.start()
    expect(await run(at(site, 'visit'))).toMatchObject({
      code: 3,
      err: expect.stringContaining('(no_manifest)') as string,
    })
    expect(await run(['visit', site.origin])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/blocked_url[^]*--dangerously-allow/) as string,
    })
  })
})

it('ahp read prints the content', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.on('/llms.txt', { headers: { 'content-type': 'text/markdown' }, body: '# Books\r\n\u001b[31mRed' })
  expect(await run(at(site, 'read'))).toMatchObject({ code: 0, out: '# Books\n [31mRed\n' })
  expect(await run(at(site, 'read', '--uses', 'ai_train'))).toMatchObject({
    code: 3,
    err: expect.stringContaining('refused_by_signal') as string,
  })
})

describe('ahp ask', () => {
  it('prints the answer with its sources, and how to go on', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(
      success('Two reviews.\nBoth good.', {}, { sources: [{ title: 'Dune', url: '/dune' }, { url: '/b' }] }),
    )
    expect(await run(at(site, 'ask', 'Dune?', '--locale', 'en'))).toEqual({
      code: 0,
      out:
        'Two reviews.\nBoth good.\n\nSources\n' +
        `  Dune  ${site.origin}/dune\n        ${site.origin}/b\n\nThe site asks to be named where this is used.\n`,
      err: '\nGo on with --session s-1\n',
    })
    expect(site.asked[0]?.json).toMatchObject({ query: 'Dune?', context: { locale: 'en' } })
  })

  it('passes on what the options say', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Ordered.'))
    const options = [
      '--capability',
      'order_book',
      '--session',
      's-9',
      '--input',
      '{"isbn":"1"}',
      '--intent',
      'to read',
    ]
    const more = [
      '--accept',
      'application/action-result, text/answer',
      '--max-tokens',
      '50',
      '--header',
      'X-Key: abc',
    ]
    const { code, out } = await run(at(site, 'ask', 'Order', ...options, ...more, '--json'), {
      env: { AHP_TOKEN: 't' },
    })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ status: 'success', answer: 'Ordered.', sessionId: 's-1' })
    expect(site.asked[0]).toMatchObject({
      headers: { authorization: 'Bearer t', 'x-key': 'abc' },
      json: {
        capability: 'order_book',
        query: '{"isbn":"1"}',
        session_id: 's-9',
        context: {
          user_intent: 'to read',
          max_tokens: 50,
          accept_types: ['application/action-result', 'text/answer'],
        },
      },
    })
  })

  it('goes on with whoever sits there', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const next = { follow_up: { suggested_queries: ['And the sequels?', 'Who wrote it?'] } }
    site.onAsk(QUESTION, success('The film.', {}, next), success('Herbert.', {}, next), success('Six.'))
    const { code, out } = await run(at(site, 'ask', 'Dune'), { typed: ['2', '2', 'How many?', ''] })
    expect(code).toBe(0)
    expect(out).toContain('The book or the film?\n  1  the book\n  2  the film\nYour answer: The film.\n')
    expect(out).toContain(
      '\nAsk next\n  1  And the sequels?\n  2  Who wrote it?\n\nNext question (empty to end): Herbert.',
    )
    expect(site.asked.map(({ json }) => [json['query'], json['clarification'], json['session_id']])).toEqual([
      ['Dune', undefined, undefined],
      ['Dune', 'the film', 's-1'],
      ['Who wrote it?', undefined, 's-1'],
      ['How many?', undefined, 's-1'],
    ])
  })

  it('says what is asked back where nobody can answer', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(QUESTION)
    expect(await run(at(site, 'ask', 'Dune'))).toMatchObject({
      code: 4,
      out: 'The book or the film?\n  1  the book\n  2  the film\n',
    })
    const given = await run(at(site, 'ask', 'Dune'), { typed: [] })
    expect(given.code).toBe(4)
    expect(given.out.match(/The book or the film/g)).toHaveLength(1)
    expect(await run(at(site, 'ask', 'Dune', '--json'), { typed: ['1'] })).toMatchObject({ code: 4 })
  })

  it('waits for what takes time, with a moving line on a terminal', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk({ body: { status: 'accepted', session_id: 'job', poll: '/job', eta_seconds: 1 } })
    site.on(
      '/job',
      { body: { status: 'pending', session_id: 'job', progress: 'reading\u001b[2J', eta_seconds: 1 } },
      success('Yes.'),
    )
    const ask = at(site, 'ask', 'Good?', '--capability', 'ask_a_person')
    const { code, out, err } = await run(ask, { isErrTerminal: true })
    expect(code).toBe(0)
    expect(out).toContain('Yes.')
    expect(err).toContain('\r\u001b[K| The site is at work')
    expect(err).toMatch(/reading \[2J, about 1 s left/)
    site.on('/job', { body: { status: 'failed', session_id: 'job', message: 'Nobody is in.' } })
    expect(await run(ask)).toEqual({ code: 1, out: '', err: 'failed: Nobody is in.\n' })
    const left = await run([...ask, '--wait-seconds', '0'])
    const collect = `ahp wait ${site.origin} ${site.origin}/job`
    const later = `The answer will come later, in about 1 s.\nCollect it with: ${collect}\n`
    expect(left).toEqual({ code: 5, out: '', err: later })
    const [, command = '', ...words] = collect.split(' ')
    expect(await run([command, ...words, '--dangerously-allow', site.host])).toEqual({
      code: 1,
      out: '',
      err: 'failed: Nobody is in.\n',
    })
  })

  it('prints nothing that nobody sees, and keeps it in JSON', async () => {
    const evil =
      'A\u200bB\u2060C\ufeffD\u{e0069}\u{e0067}E\u200eF\u061cG\u00adH\ufe01I\u{e0100}J\u0007K\ud800L'
    await using site = await ScriptedSite.start(
      bookShop({ name: evil, description: evil, integrations: { [evil]: { url: '/x' } } }),
    )
    const payload = { [evil]: evil }
    const rest = { content_type: 'x-bookshop/shelf', payload, sources: [{ title: evil, url: '/x' }] }
    const answered = success(evil, {}, { ...rest, follow_up: { suggested_queries: [evil] } })
    const refused = {
      status: 400,
      body: { status: 'error', code: 'unknown_capability', message: evil, available_capabilities: [evil] },
    }
    const asked = { body: { ...QUESTION.body, clarification: { question: evil, options: [evil] } } }
    const job = { body: { status: 'accepted', session_id: 'job', poll: '/job', eta_seconds: 1e300 } }
    site.onAsk(answered, answered, refused, asked, job)
    site.on('/job', { body: { status: 'failed', session_id: 'job', message: evil } })
    const all = [await run(at(site, 'visit')), await run(at(site, 'ask', 'Dune'), { typed: [''] })]
    const asJson = await run(at(site, 'ask', 'Dune', '--json'))
    for (let times = 0; times < 2; times++) all.push(await run(at(site, 'ask', 'Dune')))
    const later = await run(at(site, 'ask', 'Dune', '--wait-seconds', '0'))
    expect(later.err).toMatch(/^The answer will come later, in more than a day\.\n/)
    all.push(await run(at(site, 'wait', 'job')), asJson)
    for (const { out, err } of all)
      expect((out + err).replaceAll('\n', '')).not.toMatch(
        /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u,
      )
    expect(JSON.parse(asJson.out)).toMatchObject({ answer: evil, payload })
  })

  it('prints no more than anybody reads, and all of it in JSON', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const many = Array.from({ length: 2_000 }, (_, index) => ({ title: `Source ${index}`, url: `/${index}` }))
    const long = success('word '.repeat(60_000), {}, { sources: many })
    site.onAsk(long, long)
    const { out } = await run(at(site, 'ask', 'Dune'))
    expect(out.length).toBeLessThan(210_000)
    expect(out).toContain('…\n\nSources\n  Source 0   http')
    expect(out).toMatch(/ {2}Source 99 .*\/99\n {2}… and 1900 more\n/)
    const asJson = JSON.parse((await run(at(site, 'ask', 'Dune', '--json'))).out) as Record<string, unknown>
    expect([asJson['sources'], asJson['answer']]).toMatchObject([{ length: 2_000 }, 'word '.repeat(60_000)])
  })

  it('writes nothing to be typed that a shell would take for a command', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Yes.', { session_id: "s'; rm -rf ~ #" }), success('Yes.', { session_id: '-x' }), {
      body: { status: 'accepted', session_id: 'job', poll: '/job?a=$(id)&b' },
    })
    const ask = at(site, 'ask', 'Dune', '--wait-seconds', '0')
    expect((await run(ask)).err).toBe("\nGo on with --session 's'\\''; rm -rf ~ #'\n")
    expect((await run(ask)).err).toBe('\nGo on with --session=-x\n')
    expect((await run(ask)).err).toContain(`ahp wait ${site.origin} '${site.origin}/job?a=$(id)&b'\n`)
  })

  it('says why there is no answer', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(refusal(400, 'unsupported_type', { available_types: ['text/answer'] }))
    expect(await run(at(site, 'ask', 'Dune'))).toMatchObject({
      code: 1,
      err: 'unsupported_type: It is unsupported_type.\nThere is text/answer.\n',
    })
    site.onAsk({ status: 429, headers: { 'retry-after': '3600' }, body: {} })
    expect(await run(at(site, 'ask', 'Dune', '--max-retry-seconds', '0'))).toMatchObject({
      code: 3,
      err: expect.stringMatching(/3600 seconds.*\(rate_limited\)/) as string,
    })
  })

  it.each([
    ['an empty object', {}],
    ['an empty text', { answer: ' ' }],
    ['a payload of another type', { content_type: 'application/feed', payload: { total: 'x' } }],
  ])('does not take %s for an answer', async (_, response) => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk({ body: { status: 'success', session_id: null, response } })
    expect(await run(at(site, 'ask', 'Dune'))).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('(invalid_response)') as string,
    })
  })

  it('takes a payload or a source without words', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const data = { content_type: 'application/data', payload: { data: { isbn: '1' } } }
    site.onAsk(
      { body: { status: 'success', session_id: null, response: data } },
      { body: { status: 'success', session_id: null, response: { sources: [{ url: '/dune' }] } } },
    )
    expect((await run(at(site, 'ask', 'Dune'))).out).toContain('"isbn": "1"')
    expect((await run(at(site, 'ask', 'Dune'))).out).toContain(`${site.origin}/dune`)
  })

  it('ends when interrupted while the concierge reads what it asked back for', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const controller = new AbortController()
    site.onAsk(QUESTION, () => {
      controller.abort()
      return success('late')
    })
    const { code, out } = await run(at(site, 'ask', 'Dune'), { signal: controller.signal, typed: ['1'] })
    expect([code, out.includes('late')]).toEqual([130, false])
  })

  it('ends when interrupted', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const controller = new AbortController()
    site.onAsk(() => {
      controller.abort()
      return success('late')
    })
    expect(await run(at(site, 'ask', 'Dune'), { signal: controller.signal })).toMatchObject({
      code: 130,
      out: '',
    })
  })
})

describe('ahp wait', () => {
  const MINE = 'Bearer t'

  it.each([
    ['by the address of the work', ({ origin }: ScriptedSite) => `${origin}/agent/converse/status/job`],
    ['by its path', () => '/agent/converse/status/job'],
    ['by its id', () => 'job'],
  ])('collects what is there, %s', async (_, jobAt) => {
    await using site = await ScriptedSite.start(bookShop())
    site.on('/agent/converse/status/job', ({ headers }) =>
      headers['authorization'] === MINE ? success('Yes.') : refusal(404, 'invalid_request'),
    )
    const wait = at(site, 'wait', jobAt(site), '--wait-seconds', '0')
    expect(await run(wait, { env: { AHP_TOKEN: 't' } })).toMatchObject({
      code: 0,
      out: 'Yes.\n\nThe site asks to be named where this is used.\n',
    })
    expect(await run(wait)).toMatchObject({ code: 1, err: 'invalid_request: It is invalid_request.\n' })
    expect(JSON.parse((await run([...wait, '--json'], { env: { AHP_TOKEN: 't' } })).out)).toMatchObject({
      status: 'success',
    })
  })

  it('says that it is not there yet, and what is asked back', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.on('/job', { body: { status: 'pending', session_id: 'job' } }, QUESTION)
    const wait = at(site, 'wait', '/job', '--wait-seconds', '0')
    const address = `${site.origin}/job`
    expect(await run(wait)).toEqual({
      code: 5,
      out: '',
      err: `The answer will come later.\nCollect it with: ahp wait ${site.origin} ${address}\n`,
    })
    expect(await run(wait, { typed: ['1'] })).toMatchObject({
      code: 4,
      out: 'The book or the film?\n  1  the book\n  2  the film\n',
    })
  })

  it('asks no other site', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const { code, err } = await run(at(site, 'wait', 'https://elsewhere.test/job'))
    expect([code, err]).toEqual([3, expect.stringContaining('(foreign_poll)')])
  })
})

describe('ahp', () => {
  it.each([
    [[]],
    [['fly', 'a.test']],
    [['visit']],
    [['visit', 'a.test', 'b.test']],
    [['ask', 'a.test']],
    [['ask', 'a.test', 'b', 'c']],
    [['ask', 'a.test', ' ']],
    [['wait', 'a.test']],
    [['wait', 'a.test', 'b', 'c']],
    [['wait', 'a.test', 'b', '--capability', 'c']],
    [['visit', 'a.test', '--wait-seconds', '1']],
    [['visit', 'a.test', '--capability', 'b']],
    [['read', 'a.test', '--max-tokens', '5']],
    [['visit', 'ftp://a.test']],
    [['visit', 'a.test', '--nonsense']],
    [['visit', 'a.test', '--header', 'SECRET']],
    [['visit', 'a.test', '--uses', 'ai_trian']],
    [['visit', 'a.test', '--max-seconds', '0']],
    [['visit', 'a.test', '--dangerously-allow', 'not a host']],
    [['ask', 'a.test', 'x', '--input', '[]']],
    [['ask', 'a.test', 'x', '--input', '{']],
    [['ask', 'a.test', 'x', '--wait-seconds', '-1']],
  ])('refuses %j', async (args) => {
    const refused = await run(args)
    expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--help') as string })
    expect(refused.err).not.toContain('SECRET')
  })

  it.each([
    ['--max-second', "Unknown option '--max-second'. Did you mean --max-seconds?"],
    ['--nonsense', "Unknown option '--nonsense'."],
  ])('names what %s was meant to be, if anything', async (option, said) => {
    expect((await run(['visit', 'a.test', option])).err.split('\n', 1)).toEqual([said])
  })

  it('explains itself and tells its version', async () => {
    expect(await run(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Exit codes') as string,
    })
    expect(await run(['-h'])).toEqual(await run(['--help']))
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    })
  })

  it('runs as a program', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Two reviews.'))
    const program = new URL('../../dist/cli.js', import.meta.url).pathname
    const out = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [program, ...at(site, 'ask', 'Dune')], (error, stdout) => {
        if (error) reject(new Error('failed', { cause: error }))
        else resolve(stdout)
      })
    })
    expect(out).toContain('Two reviews.')
  })
})
