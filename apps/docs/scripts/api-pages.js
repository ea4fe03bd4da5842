/** The API reference: one page for each entry that can be imported. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packages } from './project.js'

/** Characters of Markdown past which a module becomes a page for each of its groups. */
const LONGEST_PAGE = 30_000
const BASE = '/reference/api/'

/**
 * @param {import('./api-model.js').ApiModel} api
 * @returns {Promise<import('./repository-page.js').Page[]>}
 */
export async function apiPages({ app, project }) {
  const folder = await mkdtemp(join(tmpdir(), 'doorplate-api-'))
  try {
    await app.outputs.writeOutput({ name: 'markdown', path: folder }, project)
    const files = await readdir(folder, { recursive: true })
    const modules = await Promise.all(
      files
        .filter((file) => file.endsWith('.md') && file !== 'index.md')
        .map(async (file) => ({
          path: file,
          text: withoutRepetition(await readFile(join(folder, file), 'utf8')),
        })),
    )
    const pages = modules.flatMap(splitByGroup)
    return [apiIndex(), ...pages.map((page) => apiPage(page, placesOf(pages)))]
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** @returns {import('./repository-page.js').Page} */
function apiIndex() {
  const rows = packages.flatMap(({ folder, entries }) =>
    entries.map(({ specifier }) => {
      const page = specifier.replace('@doorplate/', '')
      return `| [\`${specifier}\`](/reference/api/${page}.md) | [${folder}](/reference/packages/${folder}.md) |`
    }),
  )
  return {
    path: 'reference/api/index.md',
    text: `# API\n\nEverything that can be imported, from the declarations of the packages.\n\n| import | package |\n| --- | --- |\n${rows.join('\n')}\n`,
  }
}

/**
 * What a member overrides or inherits is said where it is declared.
 * @param {string} markdown
 */
function withoutRepetition(markdown) {
  return markdown
    .replaceAll(/^#{4,6} (?:Overrides|Inherited from)\n\n.*\n\n?/gm, '')
    .replaceAll(/<a id="[^"]*"><\/a> ?/g, '')
    .replaceAll(/^\*\*\*\n\n/gm, '')
}

/**
 * A long module as one page for each of its groups, and a page that lists them.
 * @param {import('./repository-page.js').Page} module
 * @returns {import('./repository-page.js').Page[]}
 */
function splitByGroup({ path, text }) {
  if (text.length <= LONGEST_PAGE) return [{ path, text }]
  const [head = '', ...groups] = text.split(/^## /m)
  const title = head.trim().replace(/^# /, '')
  const pages = groups.flatMap((group) => {
    const [name = ''] = group.split('\n', 1)
    return inParts(group.slice(name.length).replaceAll(/^##/gm, '#')).map((members, index) => ({
      path: `${path.replace(/\.md$/, '')}/${name.toLowerCase().replaceAll(' ', '-')}${index === 0 ? '' : `-${index + 1}`}.md`,
      name,
      text: `# ${title}: ${name}${index === 0 ? '' : ` (${index + 1})`}\n\n${members.trim()}\n`,
    }))
  })
  const lists = [...new Set(pages.map(({ name }) => name))].map((name) => {
    const members = pages.filter((page) => page.name === name).map((page) => page.text)
    const links = [...members.join('\n').matchAll(/^## (.*) \{#(.*)\}$/gm)].map(
      ([, member, anchor]) => `[\`${member?.replaceAll('\\', '')}\`](${BASE}${path}#${anchor})`,
    )
    return `## ${name}\n\n${links.join(' · ')}\n`
  })
  return [{ path, text: `# ${title}\n\n${lists.join('\n')}` }, ...pages]
}

/**
 * The members of a group, as many together as make a page.
 * @param {string} group
 */
function inParts(group) {
  return group.split(/^(?=## )/m).reduce(
    (parts, member) => {
      const last = parts.at(-1) ?? ''
      return last.length + member.length <= LONGEST_PAGE || last.trim() === ''
        ? [...parts.slice(0, -1), last + member]
        : [...parts, member]
    },
    [''],
  )
}

/**
 * Which page has which member of which module.
 * @param {readonly import('./repository-page.js').Page[]} pages
 * @returns {ReadonlyMap<string, string>}
 */
function placesOf(pages) {
  const modules = packages.flatMap((one) =>
    one.entries.map(({ specifier }) => specifier.replace('@doorplate/', '')),
  )
  return new Map(
    pages.flatMap(({ path, text }) => {
      const file = path.replace(/\.md$/, '')
      const module = modules.includes(file) ? file : file.replace(/\/[^/]*$/, '')
      return [...text.matchAll(/^##+ .* \{#(.*)\}$/gm)].map(
        ([, anchor]) => /** @type {[string, string]} */ ([`${module}.md#${anchor}`, path]),
      )
    }),
  )
}

/**
 * @param {import('./repository-page.js').Page} page
 * @param {ReadonlyMap<string, string>} places
 */
function apiPage({ path, text }, places) {
  const linked = text.replaceAll(/\(\/reference\/api\/([^)#]+\.md)#([^)]+)\)/g, (_, module, anchor) => {
    const place = places.get(`${module}#${anchor}`)
    return place === undefined ? `(${BASE}${module})` : `(${BASE}${place}#${anchor})`
  })
  return { path: `reference/api/${path}`, text: `---\noutline: [2, 3]\n---\n\n${linked}` }
}
