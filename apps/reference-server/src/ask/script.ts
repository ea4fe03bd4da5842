/**
 * What the page for questions does in a browser that runs scripts: the conversation grows instead of being replaced. Without it
 * forms and links do the same, page by page.
 */
export const ASK_SCRIPT = `
const say = (text) => {
  document.getElementById('ask-status').textContent = text
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (form.closest('#page-content') === null) return
  event.preventDefault()
  const fields = new URLSearchParams(new FormData(form, event.submitter))
  const room = document.getElementById('conversation')
  room.setAttribute('aria-busy', 'true')
  say('The concierge is asked.')
  try {
    const response = await fetch(form.action, { method: 'POST', body: fields })
    if (response.redirected) return location.assign(response.url)
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    for (const step of document.querySelectorAll('#conversation form, .talk > form.choices')) step.remove()
    room.append(...page.getElementById('conversation').children)
    document.getElementById('ask-form').replaceWith(page.getElementById('ask-form'))
    const next = room.lastElementChild?.querySelector('.choices button, form input[type=text]') ?? document.getElementById('query')
    next.focus({ preventScroll: true })
    room.lastElementChild?.scrollIntoView({ block: 'nearest' })
    say('')
  } catch {
    const step = event.submitter?.name ? Object.assign(document.createElement('input'), { type: 'hidden', name: event.submitter.name, value: event.submitter.value }) : ''
    form.append(step)
    HTMLFormElement.prototype.submit.call(form)
  } finally {
    room.removeAttribute('aria-busy')
  }
})

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.target.id !== 'query') return
  event.preventDefault()
  event.target.form.requestSubmit()
})
`
