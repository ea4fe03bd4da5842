import { AHP_VERSION } from '../kinds.js'
import { checkNames, invalidOption } from '../manifest/ahp-manifest-error.js'
import { MANIFEST_PATH } from './well-known.js'

/** Options of `agentNotice`. */
export interface AgentNoticeOptions {
  /**
   * `hidden` as in the draft: `display:none`, which readers of raw HTML see. `visually-hidden`: also in the text that
   * browsers and text extractors make of a page, but not on the screen; it needs a content security policy that allows
   * inline styles. Default: `hidden`.
   */
  readonly style?: 'hidden' | 'visually-hidden'
  /** A path on the origin of the site, or a URL. Default: `/.well-known/agent.json`. */
  readonly manifestUrl?: string
  /** Where requests are posted, to name it as well. Default: not named. */
  readonly converseUrl?: string
}

const STYLES = {
  // `hidden` works where a content security policy forbids inline styles.
  hidden: 'hidden="" style="display:none"',
  'visually-hidden':
    'style="position:absolute;width:1px;height:1px;margin:-1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap"',
} as const

/**
 * A section of HTML, in ASCII, that tells agents which read the page where the manifest is. Goes into the body of every page.
 *
 * @throws {AhpManifestError} `invalid_option`
 */
export function agentNotice(options: AgentNoticeOptions = {}): string {
  checkNames(options, ['style', 'manifestUrl', 'converseUrl'])
  const { style = 'hidden', manifestUrl = MANIFEST_PATH, converseUrl } = options
  if (!Object.hasOwn(STYLES, style)) throw invalidOption('style', 'must be hidden or visually-hidden')
  for (const [option, url] of Object.entries({ manifestUrl, converseUrl }))
    if (url !== undefined && typeof (url as unknown) !== 'string')
      throw invalidOption(option, 'must be a path or a URL')
  const converse =
    converseUrl === undefined ? '' : ` Questions are answered at <code>POST ${escaped(converseUrl)}</code>.`
  return (
    `<section class="ahp-notice" aria-label="AI Agent Notice" ${STYLES[style]}>` +
    '<p>Note for AI agents: this site speaks the Agent Handshake Protocol. What it offers to agents, and how to ask for ' +
    `it, is described at <a href="${escaped(manifestUrl)}" rel="ahp-manifest agent-manifest">` +
    `<code>GET ${escaped(manifestUrl)}</code></a> (AHP/${AHP_VERSION}).${converse}</p></section>`
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`)
}
