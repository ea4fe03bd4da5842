/**
 * What the page for questions does in a browser that runs scripts: the conversation grows instead of being replaced, and an
 * answer that is waited for comes by itself. Without it forms and links do the same, page by page.
 */
export const ASK_SCRIPT = `
const parse = (text) => new DOMParser().parseFromString(text, 'text/html')

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (form.closest('#page-content') === null) return
  event.preventDefault()
  const fields = new URLSearchParams(new FormData(form, event.submitter))
  const room = document.getElementById('conversation')
  room.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(form.action, { method: 'POST', body: fields })
    if (response.redirected) return location.assign(response.url)
    const page = parse(await response.text())
    for (const step of room.querySelectorAll('form')) step.remove()
    room.append(...page.getElementById('conversation').children)
    document.getElementById('ask-form').replaceWith(page.getElementById('ask-form'))
    document.getElementById('query').focus({ preventScroll: true })
    room.lastElementChild?.scrollIntoView({ block: 'nearest' })
  } catch {
    HTMLFormElement.prototype.submit.call(form)
  } finally {
    room.removeAttribute('aria-busy')
  }
})

const lookAgain = async () => {
  const waiting = document.querySelector('[data-waits]')
  if (waiting === null) return
  try {
    const page = parse(await (await fetch(location.href)).text())
    const news = page.getElementById('waiting')
    if (news !== null && !news.hasAttribute('data-waits')) return waiting.replaceWith(news)
  } catch {
    // The server is away: it is asked again.
  }
  setTimeout(lookAgain, 2000)
}
setTimeout(lookAgain, 1000)
`
