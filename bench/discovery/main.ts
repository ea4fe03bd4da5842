import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { discover } from '@doorplate/agent-discovery'
import { parseLinkHeader } from '@doorplate/agent-discovery/link'
import { HtmlScanner } from '@doorplate/agent-discovery/meta'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { Parser, Tokenizer } from 'htmlparser2'
import { measure } from '../src/measure.js'
import { report, type Comparison } from '../src/report.js'
import { chunksOf, pageOf } from './page.js'

const url = 'https://shop.example/'
const DOCUMENTS: ReadonlyMap<string, readonly [type: string, body: string]> = new Map([
  [
    '/',
    [
      'text/html',
      '<!doctype html><head><link rel="describedby" href="/llms.txt"><link rel="ard" href="/.well-known/ard.json"></head>',
    ],
  ],
  ['/llms.txt', ['text/plain', '# Shop\n\n- [Books](/books.md)\n']],
  ['/robots.txt', ['text/plain', 'User-agent: *\nContent-Signal: search=yes, ai-train=no\n']],
  ['/.well-known/ard.json', ['application/json', '{"entries":[]}']],
  ['/.well-known/api-catalog', ['application/linkset+json', '{"linkset":[]}']],
])

await report('discovery', [await scanning(), ...(await hostileHeaders()), await probing()])
memory()

/** One operation is one megabyte of page, given in pieces of 64 KiB. */
async function scanning(): Promise<Comparison> {
  const page = pageOf(10_000_000)
  const chunks = [...chunksOf(page, 65_536)]
  const operationsPerRun = page.length / 1_000_000
  const feed = (target: { write(chunk: string): void; end(): unknown }): unknown => {
    for (const chunk of chunks) target.write(chunk)
    return target.end()
  }
  const noop = (): undefined => undefined
  const callbacks = {
    onattribdata: noop,
    onattribentity: noop,
    onattribend: noop,
    onattribname: noop,
    oncdata: noop,
    onclosetag: noop,
    oncomment: noop,
    ondeclaration: noop,
    onend: noop,
    onopentagend: noop,
    onopentagname: noop,
    onprocessinginstruction: noop,
    onselfclosingtag: noop,
    ontext: noop,
    ontextentity: noop,
  }
  const measurements = await measure([
    {
      name: 'HtmlScanner',
      run: () => feed(new HtmlScanner({ url, maxLength: 20_000_000 })),
      operationsPerRun,
    },
    { name: 'htmlparser2 Parser, no handler', run: () => feed(new Parser({})), operationsPerRun },
    {
      name: 'htmlparser2 Tokenizer, no handler',
      run: () => feed(new Tokenizer({ decodeEntities: false }, callbacks)),
      operationsPerRun,
    },
  ])
  return {
    title: 'One megabyte of a page of 10 MB, in pieces of 64 KiB',
    measurements,
    baseline: 'htmlparser2 Parser, no handler',
    limit: 'htmlparser2 Tokenizer, no handler',
  }
}

/** One operation is one KiB of the field: equal times at every size mean that the work is linear. */
async function hostileHeaders(): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const piece of ['<', ',<', ' ;', '<x>;', '"', '<x>; rel="\\', '<x>;a="b" c']) {
    const measurements = await measure(
      [16, 32, 64].map((kib) => {
        const field = piece.repeat(Math.ceil((kib * 1024) / piece.length)).slice(0, kib * 1024)
        return {
          name: `${kib} KiB`,
          run: () => parseLinkHeader(field, { url, maxLinks: 1_000_000 }),
          operationsPerRun: kib,
        }
      }),
      { rounds: 5, roundMs: 40, warmUpMs: 100 },
    )
    comparisons.push({ title: `One KiB of a Link field of ${JSON.stringify(piece)} repeated`, measurements })
  }
  return comparisons
}

/** A whole discovery of a healthy site on loopback, beside as many bare requests. */
async function probing(): Promise<Comparison> {
  const server = createServer((request, response) => {
    const [type, body] = DOCUMENTS.get(request.url ?? '') ?? ['text/plain', 'none']
    response.writeHead(DOCUMENTS.has(request.url ?? '') ? 200 : 404, { 'content-type': type })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const fetch = createSafeFetch({ dangerouslyAllow: [`127.0.0.1:${port}`] })
  const first = await discover(origin, { fetch })
  process.stdout.write(`A healthy site is asked ${first.budget.requests} times, the page included.\n\n`)
  const bare = async (): Promise<void> => {
    await fetch(origin).then((response) => response.text())
    const rest = Array.from({ length: first.budget.requests - 1 }, (_, index) => `${origin}/x${index}`)
    const worker = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop())
        await fetch(next).then((response) => response.text())
    }
    await Promise.all([worker(), worker(), worker(), worker()])
  }
  const measurements = await measure(
    [
      { name: 'discover', run: () => discover(origin, { fetch }) },
      { name: 'as many bare requests, 4 at a time', run: bare },
    ],
    { rounds: 11, roundMs: 200 },
  )
  await fetch.close()
  await new Promise((resolve) => server.close(resolve))
  return {
    title: 'Discovery of a healthy site on loopback',
    measurements,
    limit: 'as many bare requests, 4 at a time',
  }
}

/** Growth of the heap while a page of 200 MB goes by. */
function memory(): void {
  const page = pageOf(1_000_000)
  const scanner = new HtmlScanner({ url, maxLength: 1e9 })
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (let round = 0; round < 200; round++) for (const chunk of chunksOf(page, 65_536)) scanner.write(chunk)
  globalThis.gc?.()
  const grown = process.memoryUsage().heapUsed - before
  const { links } = scanner.end()
  process.stdout.write(
    `\nHeap after 200 MB in one scan (${links.length} links): ${(grown / 1024).toFixed(0)} KiB more than before.\n`,
  )
}
