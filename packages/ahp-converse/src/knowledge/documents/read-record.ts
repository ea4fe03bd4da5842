import { tidy, type Block, type Outline } from './block.js'

const MAX_DEPTH = 8
/** Up to here a value stands beside its name; a longer one is a text of its own. */
const MAX_SHORT_VALUE = 200
const TITLE_FIELDS = ['title', 'name', 'label', 'headline', 'question']
const DESCRIPTION_FIELDS = ['description', 'summary']

/** Data by its fields: short values become lines "name: value", long ones paragraphs, nested ones "outer, inner: value". */
export function readRecord(record: Readonly<Record<string, unknown>>): Outline {
  const items: string[] = []
  const texts: Block[] = []
  collect(record, [], items, texts)
  const list: Block = { kind: 'list', items, ordered: false }
  return {
    title: firstText(record, TITLE_FIELDS),
    description: firstText(record, DESCRIPTION_FIELDS),
    parts: items.length === 0 ? texts : [...texts, list],
  }
}

function collect(value: unknown, path: readonly string[], items: string[], texts: Block[]): void {
  if (path.length > MAX_DEPTH || value === null || value === undefined) return
  if (Array.isArray(value)) {
    const plain = value.filter(isScalar)
    if (plain.length > 0) addScalar(plain.map(String).join(', '), path, items, texts)
    for (const item of value) if (!isScalar(item)) collect(item, path, items, texts)
  } else if (typeof value === 'object') {
    for (const [name, member] of Object.entries(value))
      collect(member, [...path, readable(name)], items, texts)
  } else if (isScalar(value)) {
    addScalar(String(value), path, items, texts)
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function addScalar(value: string, path: readonly string[], items: string[], texts: Block[]): void {
  const name = path.join(', ')
  if (value.length <= MAX_SHORT_VALUE) {
    const text = tidy(value)
    if (text !== '') items.push(name === '' ? text : `${name}: ${text}`)
    return
  }
  for (const paragraph of value.split(/\n\s*\n/)) {
    const text = tidy(paragraph)
    if (text !== '') texts.push({ kind: 'prose', text })
  }
}

/** `unitPrice` and `unit_price` as people say it. */
function readable(name: string): string {
  return tidy(name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replace(/[_-]+/g, ' ')).toLowerCase()
}

function firstText(record: Readonly<Record<string, unknown>>, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = Object.hasOwn(record, field) ? record[field] : undefined
    if (typeof value === 'string' && tidy(value) !== '') return tidy(value)
  }
  return undefined
}
