/** The specifications, with an anchor at each numbered rule. */
import { outsideOfFences, repositoryPage } from './repository-page.js'
import { specificationText, specifications, traceabilityText } from './specifications.js'

/** @returns {import('./repository-page.js').Page[]} */
export function specPages() {
  return [
    repositoryPage('spec/README.md'),
    repositoryPage('spec/traceability.md'),
    ...specifications.flatMap(({ name }) => [
      repositoryPage(specificationText(name), anchorRules),
      repositoryPage(traceabilityText(name), linkRules),
    ]),
  ]
}

/**
 * `#AADP1-MAN-012` leads to the rule of that id. There are hundreds on a page, so each carries as little as it can.
 * @param {string} markdown
 */
function anchorRules(markdown) {
  return outsideOfFences(markdown, (text) =>
    text.replaceAll(
      /^- \*\*([A-Z0-9]+-[A-Z]+-\d{3})\*\* `([^`]+)` /gm,
      (_, id, subject) => `- <a id="${id}" href="#${id}">${id}</a> ${subject} `,
    ),
  )
}

/**
 * In the table of traceability each id leads to its rule. Links to tests are plain, as there are hundreds of these too.
 * @param {string} markdown
 */
function linkRules(markdown) {
  return markdown
    .replaceAll(/^\| (([A-Z0-9]+)-[A-Z]+-\d{3}) \|/gm, (_, id, prefix) => {
      const specification = specifications.find(({ rules }) => rules === prefix)
      if (specification === undefined) throw new Error(`no page has the rule ${id}`)
      return `| [${id}](/reference/spec/${specification.page}.md#${id}) |`
    })
    .replaceAll(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>')
}
