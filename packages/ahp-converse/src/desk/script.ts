/**
 * What the pages do beyond HTML: show times in the reader's own zone, and look for news without touching a form. Elements
 * with `data-live` get the content they have in the new page; focus stays where it was.
 */
export const SCRIPT = `
const showTimes = (root) => {
  for (const time of root.querySelectorAll('time')) {
    const date = new Date(time.dateTime)
    time.title = time.dateTime
    time.textContent = date.toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  }
}
showTimes(document)
let etag
let isUnderWay = false
const look = async () => {
  if (document.hidden || isUnderWay) return
  isUnderWay = true
  try {
    const headers = etag ? { 'if-none-match': etag } : {}
    const response = await fetch(document.body.dataset.self, { headers, cache: 'no-store', redirect: 'error' })
    if (response.status === 401) return location.reload()
    if (response.status === 304 || !/^text\\/html/.test(response.headers.get('content-type'))) return
    etag = response.headers.get('etag')
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    document.title = page.title
    for (const old of document.querySelectorAll('[data-live]')) {
      const next = page.getElementById(old.id)
      if (!next) continue
      showTimes(next)
      if (next.innerHTML === old.innerHTML) continue
      const focused = old.contains(document.activeElement) ? document.activeElement.id : ''
      old.replaceChildren(...next.childNodes)
      if (focused) (document.getElementById(focused) ?? document.getElementById('main')).focus()
    }
  } catch {
    // The site is away; the next look may find it.
  } finally {
    isUnderWay = false
  }
}
const { poll } = document.body.dataset
if (poll) {
  setInterval(look, Number(poll))
  document.addEventListener('visibilitychange', look)
}
`
