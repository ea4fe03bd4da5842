/**
 * Extracts the numbered rules of every specification text under `spec/` into `<name>.requirements.json` beside it, so
 * that checks, validators and vectors can refer to them. The grammar is in `spec/README.md`.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {{ id: string, subject: string, place?: string, level: 'MUST' | 'SHOULD' | 'MAY', section: string, text: string }} Requirement
 */

const RULE = /^- \*\*([A-Z0-9]+(?:-[A-Z]+)-\d{3})\*\* `([^`]+)`(?: `([^`]+)`)? (MUST|SHOULD|MAY): (.+)$/
const RULE_LIKE = /^\s*[-*] \*\*[A-Z0-9]+-[A-Z]+/
const HEADING = /^#{2,6} (.+)$/

/**
 * The rules of one specification text, in order.
 * @param {string} markdown
 * @param {string} name named in errors
 * @returns {Requirement[]}
 * @throws when a line looks like a rule but does not follow the grammar, or an id is used twice
 */
export function extractRequirements(markdown, name) {
  /** @type {Map<string, Requirement>} */
  const found = new Map()
  let section = ''
  for (const [index, line] of markdown.split('\n').entries()) {
    section = HEADING.exec(line)?.[1] ?? section
    const [, id, subject, place, level, text] = RULE.exec(line) ?? []
    if (id === undefined || subject === undefined || text === undefined) {
      if (RULE_LIKE.test(line)) throw new Error(`${name}:${index + 1}: not in the grammar of rules: ${line}`)
      continue
    }
    if (found.has(id)) throw new Error(`${name}:${index + 1}: ${id} is used twice`)
    found.set(id, {
      id,
      subject,
      ...(place === undefined ? {} : { place }),
      level: /** @type {Requirement['level']} */ (level),
      section,
      text,
    })
  }
  return [...found.values()]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const spec = join(import.meta.dirname, '../spec')
  const texts = readdirSync(spec, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /[\\/]v[^\\/]+\.md$/.test(file),
  )
  for (const file of texts.sort()) {
    const requirements = extractRequirements(readFileSync(join(spec, file), 'utf8'), `spec/${file}`)
    writeFileSync(
      join(spec, file.replace(/\.md$/, '.requirements.json')),
      `${JSON.stringify(requirements, null, 2)}\n`,
    )
    console.log(`spec/${file}: ${requirements.length} rules`)
  }
}
