/** Where the notice is in a page. */
export interface NoticePlace {
  /** Whether it is in a `noscript` element, whose content is no part of the document where scripts run. */
  readonly isWithoutScripts: boolean
  /** The HTML on both sides of its element. */
  readonly before: string
  readonly after: string
}

/** Why the notice is not there once the scripts of its page have run. */
export interface NoticeLoss {
  readonly why: string
  /** Whether the HTML alone says so; what a script does is a guess, because none is run. */
  readonly isCertain: boolean
}

/** Undefined where nothing says that scripts take the notice away. */
export function lossByScript(page: string, place: NoticePlace): NoticeLoss | undefined {
  if (place.isWithoutScripts)
    return { why: 'It is in noscript, which browsers with scripts leave out.', isCertain: true }
  const why = guessFrom(scriptsIn(page), place)
  return why === undefined ? undefined : { why, isCertain: false }
}

function guessFrom(scripts: readonly string[], place: NoticePlace): string | undefined {
  if (scripts.some((script) => NOTICE.test(script) && REMOVAL.test(script)))
    return 'A script of the page names it, and removes elements.'
  if (scripts.some((script) => REWRITING.test(script))) return 'A script of the page writes the body anew.'
  if (scripts.length > 0 && isAloneInMount(place))
    return 'It is alone in an element that an application is mounted in, which empties it.'
  return undefined
}

const NOTICE = /ahp-notice|AI Agent Notice/
const REMOVAL = /\.(?:remove|removeChild|replaceWith|replaceChildren)\s*\(|\.(?:inner|outer)HTML\s*=(?!=)/
const REWRITING =
  /document\s*\.\s*(?:body|documentElement)\s*\.\s*(?:(?:inner|outer)HTML\s*=(?!=)|replaceChildren\s*\()/

/** The text of each script, up to the end of its element or of the page. */
function scriptsIn(page: string): readonly string[] {
  const lower = page.toLowerCase()
  const scripts: string[] = []
  for (let at = lower.indexOf('<script'); at >= 0; at = lower.indexOf('<script', at)) {
    const end = lower.indexOf('</script', at)
    scripts.push(page.slice(at, end < 0 ? page.length : end))
    if (end < 0) break
    at = end
  }
  return scripts
}

/** Names that the templates of frameworks give to the element of the application. */
const MOUNT =
  /<(?:div|main)\b[^<>]{0,200}\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby)["']?[^<>]{0,200}>\s*$/i

function isAloneInMount({ before, after }: NoticePlace): boolean {
  return MOUNT.test(before.slice(-1_000)) && /^\s*<\/(?:div|main)\b/i.test(after.slice(0, 1_000))
}
