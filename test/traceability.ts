import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRequirements, type Requirement } from '@internal/vectors'
import ts from 'typescript'
import { agentChecks, conformanceChecks as ahpChecks } from '@doorplate/ahp-conformance'
import { conformanceChecks as aadpChecks } from '@doorplate/aadp-conformance'
import { projectRoot } from './workspace-packages.js'

export const SPECIFICATIONS = ['aadp/v1.0', 'aadp/v0.1', 'ahp/v0.1'] as const

/** What shows that a rule is kept: ids of checks, how many vectors, and files of tests, each by the rule's id. */
export interface Evidence {
  readonly checks: ReadonlyMap<string, readonly string[]>
  readonly vectors: ReadonlyMap<string, number>
  readonly tests: ReadonlyMap<string, readonly string[]>
}

/** `spec/evidence.json`. By rule: `file: words of the title` of tests that show it. */
type Named = Readonly<Record<string, readonly string[]>>

/** Reads `spec/evidence.json`, the vectors, the checks of the conformance runners and the titles of all tests. */
export function gatherEvidence(): Evidence {
  const known = knownRules()
  const tests = citationsInTitles(known)
  for (const [citation, places] of Object.entries(readNamed()))
    for (const id of idsOf(citation, known)) for (const place of places) add(tests, id, fileOf(place))
  return { checks: checksByRule(), vectors: vectorsByRule(), tests }
}

/** Entries of `spec/evidence.json` that name a rule or a test that does not exist. */
export function brokenEvidence(): readonly string[] {
  const known = knownRules()
  const named = readNamed()
  const places = [...new Set(Object.values(named).flat())]
  return [
    ...Object.keys(named).filter((citation) => idsOf(citation, known).length === 0),
    ...places.filter((place) => {
      const path = join(projectRoot, fileOf(place))
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(place.slice(place.indexOf(': ') + 2))
    }),
  ]
}

function knownRules(): ReadonlySet<string> {
  return new Set(SPECIFICATIONS.flatMap((name) => loadRequirements(name).map(({ id }) => id)))
}

function readNamed(): Named {
  return JSON.parse(readFileSync(join(projectRoot, 'spec', 'evidence.json'), 'utf8')) as Named
}

/** Where the table of a specification is, from `spec/`. */
export function tablePath(specification: string): string {
  return `traceability/${specification.replace('/', '-')}.md`
}

/** Markdown of all specifications: how many rules of each have something to show, in all and by what it is. */
export function summaryTable(evidence: Evidence): string {
  const rows = SPECIFICATIONS.map((name) => {
    const requirements = loadRequirements(name)
    const { checks, vectors, tests } = evidence
    const counts = [requirements, requirements.filter(({ level }) => level === 'MUST')].map(
      (rules) => `${rules.length - withoutEvidence(rules, evidence).length} of ${rules.length}`,
    )
    const bySource = [checks, vectors, tests].map(
      (source) => requirements.filter(({ id }) => source.has(id)).length,
    )
    return `| [${name}](./${tablePath(name)}) | ${[...counts, ...bySource].join(' | ')} |\n`
  })
  return `| specification | rules | MUST | by checks | by vectors | by tests |\n| --- | --- | --- | --- | --- | --- |\n${rows.join('')}`
}

/** Markdown of one specification: a row for each rule. */
export function traceabilityTable(requirements: readonly Requirement[], evidence: Evidence): string {
  const rows = requirements.map(({ id, level }) => {
    const checks = evidence.checks.get(id) ?? []
    const vectors = evidence.vectors.get(id)
    const tests = evidence.tests.get(id) ?? []
    const links = tests.map(
      (file) => `[${file.split('/').at(-1)?.replace('.test.ts', '') ?? ''}](../../${file})`,
    )
    const cells = [
      checks.map((check) => `\`${check}\``).join(' '),
      vectors === undefined ? '' : String(vectors),
      links.join(' '),
    ]
    return `| ${id} | ${level} | ${cells.join(' | ')} |\n`
  })
  return `| rule | level | checks | vectors | tests |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`
}

/** Rules that have nothing to show. */
export function withoutEvidence(
  requirements: readonly Requirement[],
  { checks, vectors, tests }: Evidence,
): readonly Requirement[] {
  return requirements.filter(({ id }) => ![checks, vectors, tests].some((source) => source.has(id)))
}

function checksByRule(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const all = [...aadpChecks('1.0'), ...aadpChecks('0.1'), ...ahpChecks({ rate: true }), ...agentChecks]
  for (const { id: check, requirements } of all) for (const id of requirements) add(found, id, check)
  return found
}

function vectorsByRule(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const file of filesUnder('spec/vectors', /\.json$/))
    for (const [, id = ''] of readFileSync(join(projectRoot, file), 'utf8').matchAll(/"rule":\s*"([^"]+)"/g))
      found.set(id, (found.get(id) ?? 0) + 1)
  return found
}

const CITATION = /\b(?:AADP1|AADP01|AADP|AHP01)-[A-Z]+-\d{3}\b/g
/** In the packages of AHP a title may cite a rule of the draft by its number alone. */
const DRAFT_NUMBER = /\bR-?(\d{3})\b/g

/** Files of tests by the rules that titles of tests in them name. */
function citationsInTitles(known: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const files = ['packages', 'apps', 'scripts'].flatMap((folder) => filesUnder(folder, /\.test\.ts$/))
  for (const file of files) {
    const text = readFileSync(join(projectRoot, file), 'utf8')
    const isOfAhp = file.startsWith('packages/ahp-')
    if (text.search(CITATION) < 0 && !(isOfAhp && text.search(DRAFT_NUMBER) >= 0)) continue
    for (const title of titlesOf(text)) {
      const citations = [...title.matchAll(CITATION)].map(([citation]) => citation)
      const numbers = isOfAhp
        ? [...title.matchAll(DRAFT_NUMBER)].map(([, number]) => `AHP01-R-${number ?? ''}`)
        : []
      for (const citation of [...citations, ...numbers])
        for (const id of idsOf(citation, known)) add(found, id, file)
    }
  }
  return found
}

/** Every text given to `it`, `test`, `describe` or `requirement`, tables of `each` included. */
function titlesOf(text: string): readonly string[] {
  const titles: string[] = []
  visit(ts.createSourceFile('test.ts', text, ts.ScriptTarget.ES2022))
  return titles

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && /^(?:it|test|describe|requirement)$/.test(baseName(node.expression)))
      for (const argument of node.arguments) collect(argument)
    ts.forEachChild(node, visit)
  }

  function collect(node: ts.Node): void {
    if (ts.isStringLiteralLike(node)) titles.push(node.text)
    else if (ts.isTemplateExpression(node)) titles.push(node.head.text)
    else if (ts.isArrayLiteralExpression(node)) node.elements.forEach(collect)
  }
}

function baseName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return baseName(expression.expression)
  return ''
}

/** The ids that a citation means: `AADP-CLI-004` is that rule of every version of AADP. */
function idsOf(citation: string, known: ReadonlySet<string>): readonly string[] {
  const ids = citation.startsWith('AADP-')
    ? ['AADP1', 'AADP01'].map((name) => name + citation.slice(4))
    : [citation]
  return ids.filter((id) => known.has(id))
}

function fileOf(place: string): string {
  return place.slice(0, place.indexOf(': '))
}

function filesUnder(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return filesUnder(path, pattern)
      return pattern.test(entry.name) ? [path] : []
    })
    .sort()
}

function add(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key) ?? []
  if (!values.includes(value)) values.push(value)
  map.set(key, values)
}
