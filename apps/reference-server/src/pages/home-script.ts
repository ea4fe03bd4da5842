/** Lets a visitor send the requests of the home page from the browser, and shows what is answered then. */
export const HOME_SCRIPT = `
const MAX_LENGTH = 2400

for (const button of document.querySelectorAll('button[data-again]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const shown = button.closest('details')
    const { method, path, body } = button.dataset
    const note = shown.querySelector('[data-note]')
    const startedAt = performance.now()
    try {
      const init = body === undefined ? { method } : { method, body, headers: { 'content-type': 'application/json' } }
      const response = await fetch(path, { ...init, cache: 'no-store' })
      const text = await response.text()
      const took = performance.now() - startedAt
      const fields = [...response.headers].map(([name, value]) => name + ': ' + value).join('\\n')
      shown.querySelector('[data-answer]').textContent = 'HTTP ' + response.status + '\\n' + fields + '\\n\\n' + pretty(text)
      note.textContent = 'Answered ' + response.status + ' in ' + took.toFixed(1) + ' ms, on the way to your browser and back.'
    } catch {
      note.textContent = 'There was no answer.'
    }
  })
}

function pretty(text) {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // It is shown as it came.
  }
  return shown.length > MAX_LENGTH ? shown.slice(0, MAX_LENGTH) + '\\n…' : shown
}
`
