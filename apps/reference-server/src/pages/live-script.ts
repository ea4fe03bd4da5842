/**
 * Keeps a page up to date whose content is still being made: the part `#live` is fetched again until it says no more that it
 * lives, and what `#live-status` says is said aloud when it changes. What is open stays open. Without it the page reloads itself.
 */
export const LIVE_SCRIPT = `
const update = async () => {
  const part = document.getElementById('live')
  if (part === null || part.dataset.live === undefined) return
  try {
    const text = await (await fetch(location.href, { headers: { accept: 'text/html' } })).text()
    const page = new DOMParser().parseFromString(text, 'text/html')
    const news = page.getElementById('live')
    if (news !== null && news.innerHTML !== part.innerHTML) {
      for (const { id } of part.querySelectorAll('details[open][id]')) page.getElementById(id)?.setAttribute('open', '')
      const focused = document.activeElement?.id
      part.replaceChildren(...news.childNodes)
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true })
    }
    const [told, said] = [document.getElementById('live-status'), page.getElementById('live-status')?.textContent]
    if (told !== null && said && told.textContent !== said) told.textContent = said
    document.title = page.title
    if (news?.dataset.live === undefined) return part.removeAttribute('data-live')
  } catch {
    // The server is away: it is asked again.
  }
  setTimeout(update, Number(part.dataset.live))
}
setTimeout(update, 1000)
`
