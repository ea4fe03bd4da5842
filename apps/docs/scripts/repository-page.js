/** Pages made of texts of the repository, so that the site and the repository have one text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { packages, projectRoot } from './project.js'
import { specificationText, specifications, traceabilityText } from './specifications.js'

/** @typedef {{ readonly path: string, readonly text: string }} Page `path` is that of the site, with `.md`. */

const FILES = 'https://github.com/doorplate/doorplate/blob/main/'

/** A link to a file of the repository: whether its address is absolute, the path, the anchor. No picture. */
const LINK = new RegExp(String.raw`(?<!!\[[^\]]*)\]\((${FILES})?(\.{0,2}[^)\s:#]+)(#[^)\s]*)?\)`, 'g')

/** Texts under `docs/decisions`. */
export const decisions = readdirSync(join(projectRoot, 'docs/decisions'))

/**
 * Texts of the repository that are pages, and where.
 * @type {ReadonlyMap<string, string>}
 */
const PAGE_OF_TEXT = new Map([
  ['README.md', 'index.md'],
  ['spec/README.md', 'reference/spec/index.md'],
  ['spec/traceability.md', 'reference/spec/traceability.md'],
  ...specifications.flatMap(
    ({ name, page }) =>
      /** @type {[string, string][]} */ ([
        [specificationText(name), `reference/spec/${page}.md`],
        [traceabilityText(name), `reference/spec/traceability/${page}.md`],
      ]),
  ),
  ['bench/README.md', 'reference/benchmarks.md'],
  ['docs/architecture.md', 'reference/project/architecture.md'],
  ['apps/reference-server/README.md', 'reference/reference-server.md'],
  ...decisions.map(
    (file) =>
      /** @type {[string, string]} */ ([
        `docs/decisions/${file}`,
        `reference/project/decisions/${file === 'README.md' ? 'index.md' : file}`,
      ]),
  ),
  ...packages.flatMap(
    ({ folder, texts }) =>
      /** @type {[string, string][]} */ ([
        [`packages/${folder}/README.md`, `reference/packages/${folder}.md`],
        ...texts.map((text) => [
          `packages/${folder}/docs/${text}.md`,
          `reference/packages/${folder}/${text}.md`,
        ]),
      ]),
  ),
])

/** What the site adds to a text: words by which newcomers look for it, and how it is shown on a telephone. */
const ADDITIONS = new Map([
  [
    'apps/reference-server/README.md',
    'keywords: [docker, podman, container, metrics, Prometheus, Grafana, logging, monitoring, health check, systemd, deploy, demo, port 4870]',
  ],
  [
    'packages/safe-fetch/README.md',
    'keywords: [SSRF, server-side request forgery, private network, DNS rebinding]',
  ],
  ['packages/agent-discovery/README.md', 'keywords: [robots.txt, llms.txt, agent card, crawl]'],
  ['packages/ahp-manifest/README.md', 'keywords: [agent.json, llms.txt, robots.txt]'],
  ['packages/ahp-converse/README.md', 'keywords: [chatbot, concierge]'],
  [
    'packages/ahp-converse/docs/knowledge.md',
    'keywords: [RAG, retrieval, LLM, OpenAI, embeddings, vector search]',
  ],
  ['packages/ahp-converse/docs/people.md', 'keywords: [human handoff, escalation, help desk]'],
  ['packages/aadp-server/README.md', 'keywords: [sitemap for AI, CMS]'],
  ['packages/aadp-client/README.md', 'keywords: [crawl, crawler, scrape]'],
  ['bench/README.md', 'pageClass: stacked benchmarks'],
])

/**
 * One text of the repository as a page of the site.
 * @param {string} source
 * @param {(markdown: string) => string} [change]
 * @returns {Page}
 */
export function repositoryPage(source, change = (markdown) => markdown) {
  const path = PAGE_OF_TEXT.get(source)
  if (path === undefined) throw new Error(`${source} is no page of the site`)
  const markdown = readFileSync(join(projectRoot, source), 'utf8')
  return { path, text: frontMatter(source) + change(rewriteLinks(markdown, source)) }
}

/**
 * Lets the foot of a page lead to the text that it is made of, and the search to the page.
 * @param {string} source
 */
function frontMatter(source) {
  const addition = ADDITIONS.get(source)
  return `---\nsource: ${source}\n${addition === undefined ? '' : `${addition}\n`}---\n\n`
}

/**
 * Links to texts of the repository, relative or not, lead to pages of the site, or else to the file in the repository.
 * Pictures are put beside the page.
 * @param {string} markdown
 * @param {string} source
 */
export function rewriteLinks(markdown, source) {
  return outsideOfCode(markdown, (text) =>
    text.replaceAll(LINK, (_, ours, target, anchor = '') => {
      const file = normalize(join(ours === undefined ? dirname(source) : '', target)).replace(/\/$/, '')
      if (!existsSync(join(projectRoot, file))) throw new Error(`${source}: there is no ${target}`)
      const page = PAGE_OF_TEXT.get(file)
      return `](${page === undefined ? `${FILES}${file}` : `/${page}`}${anchor})`
    }),
  )
}

/**
 * Changes what is neither in a fence nor in a code span.
 * @param {string} markdown
 * @param {(text: string) => string} change
 */
export function outsideOfCode(markdown, change) {
  return betweenParts(markdown, /(^```[^]*?^```$|`[^`\n]+`)/m, change)
}

/**
 * Changes what is in no fence.
 * @param {string} markdown
 * @param {(text: string) => string} change
 */
export function outsideOfFences(markdown, change) {
  return betweenParts(markdown, /(^```[^]*?^```$)/m, change)
}

/**
 * @param {string} text
 * @param {RegExp} part with one group, around all of it
 * @param {(text: string) => string} change
 */
function betweenParts(text, part, change) {
  return text
    .split(part)
    .map((piece, index) => (index % 2 === 0 ? change(piece) : piece))
    .join('')
}
