import { describe, expect, it } from 'vitest'
import { observe, type Aspect } from './observe.js'
import type { Reading } from './reading.js'

const SECRET = 'a/member"token'

function seen(aspect: Aspect, reading: Partial<Reading>): readonly string[] {
  const { json = {}, endpoint = 'converse' } = reading
  const url = 'https://site.test/agent/converse'
  const whole: Reading = {
    endpoint,
    request: { url, method: endpoint === 'converse' ? 'POST' : 'GET' },
    url,
    status: 200,
    failure: undefined,
    hint: undefined,
    headers: {},
    text: JSON.stringify(json),
    json,
    ...reading,
  }
  const observer = { origin: 'https://site.test', secrets: [SECRET], now: () => 0 }
  return observe(whole, observer)?.findings[aspect].map(({ message }) => message) ?? []
}

describe('what an error tells', () => {
  const tells = (message: string): readonly string[] =>
    seen('internals', { status: 500, json: { status: 'error', message } })

  it.each([
    'The query is missing. Send it at "query".',
    'Ask at https://books.example/home/readers/help.js for help.',
    'Look at /usr, or at /home.',
    'POST /agent/converse at 12:30:10 is too early.',
    'Version 3.5:1 of the protocol (RFC 9110, section 9.3.2) is not known at line 7.',
    'and/or, C: none, TCP/IP, 2026-01-02T00:00:00Z, [::1]:8080, a.b:12',
    'The order /orders/42/items at position 3:14 was sold.',
    'Node.js and ASP.NET are subjects of ours.',
  ])('is nothing of the program: %s', (message) => {
    expect(tells(message)).toEqual([])
  })

  it.each([
    'TypeError: x is not a function\n    at answer (file:///srv/app/desk.js:12:9)',
    'x\n   at Books.Desk.Answer(String query) in C:\\src\\Desk.cs:line 42',
    'PHP Fatal error: Uncaught Error in /var/www/desk.php on line 7',
    "desk.rb:12:in `answer'",
    'panic: goroutine 1 [running]',
    "thread 'main' panicked at src/main.rs:2:5",
    'Cannot find module "./node_modules/books/index.js" from /app/node_modules/x',
    'EACCES: /home/books/.env',
  ])('is told: %s', (message) => {
    expect(tells(message)).toHaveLength(1)
  })

  it('is seen in pages, in work that failed and in errors of MCP', () => {
    const message = 'open /var/lib/books.sqlite'
    expect(seen('internals', { status: 500, json: undefined, text: `<pre>${message}</pre>` })).toHaveLength(1)
    expect(seen('internals', { endpoint: 'status', json: { status: 'failed', message } })).toHaveLength(1)
    expect(seen('internals', { endpoint: 'mcp', json: { error: { message } } })).toHaveLength(1)
    expect(seen('internals', { json: { status: 'success', response: { answer: message } } })).toEqual([])
  })

  it('is looked for in time that grows with the text', () => {
    for (const part of [' ', '\n', ' at (', '/a', 'a.js:', 'C:\\', '    at a:1:1 ', '/home/'])
      expect(() => tells(part.repeat(1_000_000 / part.length))).not.toThrow()
  }, 5_000)
})

describe('what caches may do with', () => {
  const date = 'Fri, 02 Jan 2026 00:00:00 GMT'
  const later = 'Fri, 02 Jan 2026 01:00:00 GMT'

  it.each([
    ['an answer', 'converse', { 'cache-control': 'public' }],
    ['an answer', 'converse', { 'cache-control': 'max-age="60"' }],
    ['an answer', 'converse', { 'cache-control': 'must-revalidate, S-MaxAge=1' }],
    ['an answer', 'converse', { expires: later, date }],
    ['the state of work', 'status', {}],
    ['the state of work', 'status', { 'cache-control': 'no-transform' }],
  ] as const)('is keep %s: %s %j', (_, endpoint, headers) => {
    expect(seen('cache', { endpoint, headers })).toHaveLength(1)
  })

  it.each([
    ['converse', {}],
    ['converse', { 'cache-control': 'no-store' }],
    ['converse', { 'cache-control': 'private, max-age=60' }],
    ['status', { 'cache-control': 'no-cache' }],
    ['status', { 'cache-control': 'max-age=0, must-revalidate' }],
    ['status', { expires: '0', date }],
    ['status', { expires: date, date }],
    ['manifest', { 'cache-control': 'public, max-age=60' }],
  ] as const)('is not to keep: %s %j', (endpoint, headers) => {
    expect(seen('cache', { endpoint, headers })).toEqual([])
  })
})

describe('a credential in a body', () => {
  it.each([
    ['as it is', `Bearer ${SECRET}`],
    ['in JSON', JSON.stringify({ message: SECRET })],
    ['in JSON that escapes more than it must', JSON.stringify({ message: SECRET }).replace('/', '\\/')],
  ])('is seen %s', (_, text) => {
    const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    expect(seen('credential', { text, json })).toHaveLength(1)
    expect(seen('credential', { text: 'Bearer none', json: undefined })).toEqual([])
  })
})
