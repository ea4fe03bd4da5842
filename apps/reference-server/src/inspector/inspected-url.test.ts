import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectedUrl } from './inspected-url.js'
import { InspectionRefusal } from './refusal.js'

const origin = 'http://127.0.0.1:4870'

describe('inspectedUrl', () => {
  it.each([
    ['books.example', 'https://books.example/'],
    ['  https://books.example/a?b=c#d ', 'https://books.example/a?b=c'],
    ['HTTP://Books.Example:80', 'http://books.example/'],
    ['books.example:8443/x', 'https://books.example:8443/x'],
    ['http://127.0.0.1:4870/docs', 'http://127.0.0.1:4870/docs'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
    ['https://books.example/\u202Etxt', 'https://books.example/%E2%80%AEtxt'],
  ])('takes %j', (text, href) => {
    expect(inspectedUrl(text, { origin }).href).toBe(href)
  })

  it.each([
    ['', 'no_url'],
    [' \n ', 'no_url'],
    [`https://books.example/${'x'.repeat(2048)}`, 'too_long'],
    ['https://', 'no_such_url'],
    ['https://books example', 'no_such_url'],
    ['https://books.exa\tmple', 'no_such_url'],
    ['https://books.example:99999', 'no_such_url'],
    ['javascript:alert(1)', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://books.example', 'scheme'],
    ['https://ann:secret@books.example', 'credentials'],
    ['https://ann@books.example', 'credentials'],
    ['https://books.example:22', 'port'],
    ['http://127.0.0.1:4871', 'port'],
  ])('refuses %j as %s', (text, code) => {
    expect(() => inspectedUrl(text, { origin })).toThrow(expect.objectContaining({ code }))
  })

  it('says nothing of what was entered', () => {
    for (const text of ['https://ann:s3cret@books.example', 'gopher://s3cret', 's3cret s3cret']) {
      expect(() => inspectedUrl(text, { origin })).toThrow(InspectionRefusal)
      expect(() => inspectedUrl(text, { origin })).not.toThrow(/s3cret/)
    }
  })

  it('gives an http or https URL without user name and fragment, or refuses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withFragments: true }), fc.string({ unit: 'binary' })), (text) => {
        try {
          const { protocol, username, hash, href } = inspectedUrl(text, { origin })
          expect([/^https?:$/.test(protocol), username, hash]).toEqual([true, '', ''])
          expect(inspectedUrl(href, { origin }).href).toBe(href)
        } catch (error) {
          expect(error).toBeInstanceOf(InspectionRefusal)
        }
      }),
    )
  })
})
