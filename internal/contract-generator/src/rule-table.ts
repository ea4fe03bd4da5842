import {
  inlined,
  schemaPlaces,
  type DocumentNames,
  type DocumentSchema,
  type Requirement,
} from './sources.js'

/** Place of the rule that closes an object: no members but the named ones and extension keys. */
const ROOT_PLACE = '(root)'

/** The id of the rule behind every place of every document; fails when the specification leaves a place without one. */
export function ruleTable(
  schemas: readonly DocumentSchema[],
  requirements: ReadonlyMap<string, readonly Requirement[]>,
  names: DocumentNames,
): string {
  const table: Record<string, Record<string, Record<string, string>>> = {}
  const faults: string[] = []
  for (const { version, kind, schema } of schemas) {
    const ofKind: Record<string, string> = {}
    for (const { id, subject, place } of requirements.get(version) ?? []) {
      if (subject !== kind || place === undefined || !/^(\(root\)|\/)/.test(place)) continue
      const key = place === ROOT_PLACE ? '' : place
      if (Object.hasOwn(ofKind, key))
        faults.push(`${version} ${kind} ${place}: both ${ofKind[key] ?? ''} and ${id}`)
      ofKind[key] = id
    }
    const places = new Set(schemaPlaces(inlined(schema)).keys())
    for (const place of places) {
      if (!Object.hasOwn(ofKind, place)) faults.push(`${version} ${kind} ${place || ROOT_PLACE}: no rule`)
    }
    for (const place of Object.keys(ofKind)) {
      if (!places.has(place))
        faults.push(`${version} ${kind} ${place}: a rule for a place the schema does not have`)
    }
    table[version] = { ...table[version], [kind]: ofKind }
  }
  if (faults.length > 0) throw new Error(`Specification and schemas disagree:\n${faults.join('\n')}`)
  return `import type { ${names.version}, ${names.kind} } from '${names.module}'

/** The rule of each place of a document; \`*\` stands for every item or map member, \`''\` for the root. */
export const rules: Readonly<Record<${names.version}, Readonly<Record<${names.kind}, Readonly<Record<string, string>>>>>> = ${JSON.stringify(table, null, 2)}
`
}
