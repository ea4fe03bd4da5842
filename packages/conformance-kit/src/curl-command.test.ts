import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curlCommand } from './curl-command.js'

const url = 'https://site.test/agent/converse'

describe('the command that asks again', () => {
  it('is there where a URL does not tell', () => {
    expect(curlCommand({ url }, [])).toBeUndefined()
    expect(curlCommand({ url, headers: { accept: 'text/html' } }, [])).toBeUndefined()
    expect(curlCommand({ url, method: 'HEAD' }, [])).toBe(`curl -gI ${url}`)
    expect(curlCommand({ url, headers: { 'if-none-match': '"1"' } }, [])).toBe(
      `curl -gi -X GET ${url} -H 'if-none-match: "1"'`,
    )
    const body = '{"query":"Emma\'s"}'
    expect(curlCommand({ url, method: 'POST', body }, [])).toBe(
      String.raw`curl -gi -X POST ${url} --data-raw '{"query":"Emma'\''s"}'`,
    )
  })

  it('holds no secret, and is not cut', () => {
    const headers = { authorization: "Bearer a'b" }
    const command = curlCommand({ url, method: 'POST', headers, body: '{"auth":"x\\"y"}' }, ["a'b", 'x"y'])
    expect(command).toBe(
      `curl -gi -X POST ${url} -H 'authorization: Bearer (hidden)' --data-raw '{"auth":"(hidden)"}'`,
    )
    expect(curlCommand({ url, method: 'POST', body: 'x'.repeat(2_048) }, [])).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('is what was sent, word by word, in a shell', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'\'"$`\\!*[]{}~;&|<> #@()ab'.split('')),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, text, (value, body) => {
        const command = curlCommand({ url, method: 'POST', headers: { 'x-note': value }, body }, []) ?? ''
        const printed = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
          encoding: 'utf8',
        })
        expect(printed.split('\n').slice(0, -1)).toEqual([
          '-gi',
          '-X',
          'POST',
          url,
          '-H',
          `x-note: ${value}`,
          '--data-raw',
          body,
        ])
      }),
      { numRuns: 40 },
    )
  })
})
