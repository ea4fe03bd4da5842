/** The specifications, with an anchor at each numbered rule. */
import { repositoryPage } from './repository-page.js'

const TEXTS = ['spec/README.md', 'spec/aadp/v1.0.md', 'spec/aadp/v0.1.md', 'spec/ahp/v0.1.md']
const TRACEABILITY = 'spec/traceability.md'
/** Page of the rules whose ids begin so. */
const PAGE_OF = new Map([
  ['AADP1', 'aadp-1-0'],
  ['AADP01', 'aadp-0-1'],
  ['AHP01', 'ahp-0-1'],
])

/** @returns {import('./repository-page.js').Page[]} */
export function specPages() {
  return [
    ...TEXTS.map((source) => repositoryPage(source, anchorRules)),
    repositoryPage(TRACEABILITY, linkRules),
  ]
}

/**
 * `#AADP1-MAN-012` leads to the rule of that id.
 * @param {string} markdown
 */
function anchorRules(markdown) {
  return markdown.replaceAll(
    /^- \*\*([A-Z0-9]+-[A-Z]+-\d{3})\*\* /gm,
    (_, id) => `- <a class="rule" id="${id}" href="#${id}">${id}</a> `,
  )
}

/**
 * In the table of traceability each id leads to its rule.
 * @param {string} markdown
 */
function linkRules(markdown) {
  return markdown.replaceAll(/^\| (([A-Z0-9]+)-[A-Z]+-\d{3}) \|/gm, (_, id, text) => {
    const page = PAGE_OF.get(text)
    if (page === undefined) throw new Error(`no page has the rule ${id}`)
    return `| [${id}](/reference/spec/${page}.md#${id}) |`
  })
}
