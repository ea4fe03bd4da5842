/**
 * Keeps a page up to date whose content is still being made: the part `#live` is fetched again until it says no more that it
 * lives, and what `#live-status` says is said aloud when it changes. What did not change is left alone, what is open stays open, and the
 * focus stays where it is.
 */
export const LIVE_SCRIPT = `
const update = async () => {
  const part = document.getElementById('live')
  if (part === null || part.dataset.live === undefined) return
  try {
    const text = await (await fetch(location.href, { headers: { accept: 'text/html' } })).text()
    const page = new DOMParser().parseFromString(text, 'text/html')
    const news = page.getElementById('live')
    if (news !== null) {
      for (const { id, open } of part.querySelectorAll('details[id]')) page.getElementById(id)?.toggleAttribute('open', open)
      const focused = document.activeElement?.closest('#live details[id]')
      replaceChanged(part, [...news.children])
      if (focused?.isConnected === false) document.getElementById(focused.id)?.querySelector('summary').focus({ preventScroll: true })
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

function replaceChanged(part, wanted) {
  for (const old of [...part.children]) if (!wanted.some((next) => next.isEqualNode(old))) old.remove()
  wanted.forEach((next, place) => {
    const there = part.children[place]
    if (!there?.isEqualNode(next)) part.insertBefore(next, there ?? null)
  })
}
`
