/** All codes of errors, warnings and findings in one place. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'
import { specifications } from './specifications.js'

/** Which package tells the findings of a manifest, by the beginning of the rules. */
const JUDGES = new Map([
  ['aadp-schemas', 'AADP1'],
  ['ahp-manifest', 'AHP01'],
])

/**
 * @param {readonly import('./error-codes.js').PackageErrors[]} errors
 * @returns {import('./repository-page.js').Page}
 */
export function errorPage(errors) {
  const sections = errors.map(({ package: { folder }, codes }) => {
    const rows = codes.map(({ code, meaning = '' }) => rowOf(folder, code, meaning))
    const types = [...new Set(codes.flatMap(({ unions }) => unions))].map((name) => `\`${name}\``)
    return `## ${folder}

From ${types.join(', ')} of [@doorplate/${folder}](/reference/packages/${folder}.md).

${tableOf(rows)}
${findings(folder)}`
  })
  return {
    path: 'reference/errors.md',
    text: `---
keywords: [exception, error message, warning, issue, troubleshooting]
pageClass: stacked
---

# Error codes

Every failure has a stable \`code\`. Each family has a guard, such as \`isSafeFetchError(value)\`, that recognises its errors from whichever
installed copy of the package; with a \`code\` as well where the guard takes one. An abort rejects with the signal's own reason instead. What
goes over the wire is data and not thrown: see the [specifications](/reference/spec/index.md).

${sections.join('\n')}`,
  }
}

/**
 * What `checkManifestSemantics` of a package may find, each with its rule.
 * @param {string} folder
 */
function findings(folder) {
  const prefix = JUDGES.get(folder)
  const specification = specifications.find(({ rules }) => rules === prefix)
  if (specification === undefined) return ''
  const file = join(projectRoot, `spec/${specification.name}.requirements.json`)
  const rules =
    /** @type {readonly { readonly id: string, readonly subject: string, readonly place?: string, readonly text: string }[]} */ (
      JSON.parse(readFileSync(file, 'utf8'))
    )
  const rows = rules
    .filter(({ subject, place = '' }) => subject === 'manifest' && CODE.test(place))
    .map(({ id, place = '', text }) =>
      rowOf(folder, place, `${text} [${id}](/reference/spec/${specification.page}.md#${id})`),
    )
  return `
What \`checkManifestSemantics\` of it finds in a manifest:

${tableOf(rows, 'the rule that is broken')}
`
}

/** Other places are pointers into a document. */
const CODE = /^[a-z]+(_[a-z]+)+$/

/**
 * @param {string} folder
 * @param {string} code
 * @param {string} meaning
 */
function rowOf(folder, code, meaning) {
  const id = `${folder}-${code}`
  return `| <a id="${id}" href="#${id}">\`${code}\`</a> | ${meaning} |`
}

/**
 * @param {readonly string[]} rows
 * @param {string} meaning
 */
function tableOf(rows, meaning = 'when') {
  return [`| code | ${meaning} |`, '| --- | --- |', ...rows].join('\n')
}
