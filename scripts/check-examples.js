/**
 * Compares each JavaScript and TypeScript block of the READMEs, and of the texts beside them, with the example that it
 * shows: a file under `apps/docs/examples`, which is type-checked and run by tests. The block names it in a comment above:
 *
 *     <!-- example: aadp-client/mirror.js -->
 *     <!-- example: publish/hono.js#mount -->
 *
 * `#mount` is what stands between `// #region mount` and `// #endregion mount`; several parts of one name are joined by an
 * empty line. With `--write` the blocks are renewed.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const EXAMPLES = join(root, 'apps/docs/examples')
const BLOCK = /(<!-- example: (\S+) -->\n+)?^```(js|ts)\n([^]*?)^```$/gm

/** @typedef {{ readonly example: string | undefined, readonly language: string, readonly code: string, readonly line: number }} Block */

/**
 * @param {string} markdown
 * @returns {Block[]}
 */
export function codeBlocks(markdown) {
  return [...markdown.matchAll(BLOCK)].map(
    ({ 2: example, 3: language = '', 4: code = '', index, 0: all }) => ({
      example,
      language,
      code,
      line: markdown.slice(0, index + all.indexOf('```')).split('\n').length,
    }),
  )
}

/**
 * What a block shows of an example.
 * @param {string} source
 * @param {string} [region]
 */
export function shownPart(source, region) {
  if (region === undefined) return source
  const parts = [
    ...source.matchAll(new RegExp(`^ *// #region ${region}\\n([^]*?)^ *// #endregion ${region}$`, 'gm')),
  ].map(([, part = '']) => withoutIndent(part))
  if (parts.length === 0) throw new Error(`there is no region ${region}`)
  return parts.join('\n')
}

/** @param {string} code */
function withoutIndent(code) {
  const lines = code.split('\n').filter(Boolean)
  const indent = Math.min(...lines.map((line) => line.search(/\S/)))
  return code.replaceAll(new RegExp(`^ {${indent}}`, 'gm'), '')
}

/**
 * @param {string} markdown
 * @param {(example: string) => string} show
 */
export function renewBlocks(markdown, show) {
  return markdown.replaceAll(BLOCK, (all, comment, example, language) =>
    example === undefined ? all : `${comment}\`\`\`${language}\n${show(example)}\`\`\``,
  )
}

/**
 * The part of an example that `path#region` names.
 * @param {string} name
 */
function showExample(name) {
  const [path = '', region] = name.split('#')
  return shownPart(readFileSync(join(EXAMPLES, path), 'utf8'), region)
}

/** @returns {string[]} */
export function documentedTexts() {
  const packages = readdirSync(join(root, 'packages')).flatMap((folder) => {
    const docs = `packages/${folder}/docs`
    const texts = existsSync(join(root, docs)) ? readdirSync(join(root, docs)) : []
    return [`packages/${folder}/README.md`, ...texts.map((text) => `${docs}/${text}`)]
  })
  return ['README.md', ...packages].filter((path) => existsSync(join(root, path)))
}

/**
 * What is wrong with the blocks of one text.
 * @param {string} path
 */
export function driftIn(path) {
  return codeBlocks(readFileSync(join(root, path), 'utf8')).flatMap(({ example, code, line }) => {
    if (example === undefined) return [`${path}:${line} names no example`]
    try {
      return showExample(example) === code ? [] : [`${path}:${line} is not what ${example} has`]
    } catch (error) {
      return [`${path}:${line}: ${example}: ${error instanceof Error ? error.message : String(error)}`]
    }
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (process.argv.includes('--write'))
    for (const path of documentedTexts()) {
      const text = readFileSync(join(root, path), 'utf8')
      const renewed = renewBlocks(text, showExample)
      if (renewed !== text) writeFileSync(join(root, path), renewed)
    }
  const drift = documentedTexts().flatMap(driftIn)
  if (drift.length > 0)
    console.error(`${drift.join('\n')}\nnode scripts/check-examples.js --write renews the blocks.`)
  process.exitCode = drift.length > 0 ? 1 : 0
}
