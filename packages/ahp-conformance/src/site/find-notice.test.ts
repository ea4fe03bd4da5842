import { describe, expect, it } from 'vitest'
import { agentNotice } from '@doorplate/ahp-manifest'
import { findNotice } from './find-notice.js'

const page = (body: string): string => `<!doctype html><title>Books</title><body>${body}</body>`
const NOTICE = agentNotice()

describe('what scripts do to the notice', () => {
  it.each([
    ['no script', page(NOTICE)],
    ['a script about something else', page(`${NOTICE}<script>menu.remove(); x.innerHTML == 1</script>`)],
    [
      'a script that only reads the body',
      page(`${NOTICE}<script>if (document.body.innerHTML == '') go()</script>`),
    ],
    [
      'a script that only finds it',
      page(`${NOTICE}<script>document.querySelector('.ahp-notice').id = 'n'</script>`),
    ],
    ['an application beside it', page(`${NOTICE}<div id="root"></div><script src="/app.js"></script>`)],
    [
      'an application it was rendered with',
      page(`<div id="root"><h1>Books</h1>${NOTICE}</div><script src="/app.js"></script>`),
    ],
    ['an element without an application', page(`<div id="root">${NOTICE}</div>`)],
    ['noscript before it', page(`<noscript>No</noscript>${NOTICE}<noscript>No</noscript>`)],
  ])('is nothing: %s', (_, html) => {
    expect(findNotice(html)).toMatchObject({ loss: undefined })
  })

  it.each([
    [
      'a script that takes it out',
      false,
      page(`<script>let n = find('AI Agent Notice')\nn.parentNode.removeChild(n)</script>${NOTICE}`),
    ],
    [
      'a script that writes the document anew',
      false,
      page(`${NOTICE}<script>document.documentElement.innerHTML = page</script>`),
    ],
    ['a script without an end', false, page(`${NOTICE}<script>document.body.replaceChildren(app)`)],
    [
      'an application that is mounted over it',
      false,
      page(`<main id=app>\n${NOTICE}\n</main><script src="/app.js"></script>`),
    ],
    ['noscript', true, page(`<p>Hello<noscript>${NOTICE}</noscript>`)],
  ])('is a loss: %s', (_, isCertain, html) => {
    expect(findNotice(html)).toMatchObject({ loss: { isCertain } })
  })

  it('is looked at in time that grows with the page, whatever is in it', () => {
    const parts = ['<script', '<noscript', 'document ', '<div id=root ', NOTICE, '</script', 'ahp-notice']
    for (const part of parts) expect(() => findNotice(part.repeat(200_000 / part.length))).not.toThrow()
  })
})
