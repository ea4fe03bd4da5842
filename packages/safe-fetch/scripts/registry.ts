import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { IPV4_RANGES, IPV6_RANGES } from '../src/address/address-ranges.js'
import type { SpecialRange } from '../src/address/address-ranges.js'

/** One block of a registry file. */
export interface RegistryRow {
  readonly block: string
  readonly name: string
  readonly reachable: boolean
}

/** The rows of a special-purpose address registry as IANA publishes it in CSV; a row of several blocks becomes several. */
export function parseRegistry(csv: string): readonly RegistryRow[] {
  const [head = [], ...records] = parseCsv(csv)
  const column = (name: string): number => head.indexOf(name)
  return records.flatMap((record) => {
    const field = (name: string): string => (record[column(name)] ?? '').replace(/\s*\[\d+\]/g, '').trim()
    return field('Address Block')
      .split(/,\s*/)
      .map((block) => ({ block, name: field('Name'), reachable: field('Globally Reachable') === 'True' }))
  })
}

/** What differs between the address tables and the registry files in a folder. */
export function compareWithFiles(folder: string): readonly string[] {
  const read = (name: string): readonly RegistryRow[] =>
    parseRegistry(readFileSync(join(folder, name), 'utf8'))
  return [
    ...compareWithRegistry(IPV4_RANGES, read('iana-ipv4-special-registry-1.csv')),
    ...compareWithRegistry(IPV6_RANGES, read('iana-ipv6-special-registry-1.csv')),
  ]
}

/** What differs between our rows and the registry, in words; empty if nothing does. */
export function compareWithRegistry(
  ours: readonly SpecialRange[],
  registry: readonly RegistryRow[],
): readonly string[] {
  const mine = ours.filter(({ source }) => source === 'registry').map(describe)
  const theirs = registry.map(describe)
  return [
    ...theirs.filter((row) => !mine.includes(row)).map((row) => `missing: ${row}`),
    ...mine.filter((row) => !theirs.includes(row)).map((row) => `not in the registry: ${row}`),
  ]
}

function describe({ block, name, reachable }: RegistryRow): string {
  return `${block} ${name} ${reachable ? 'reachable' : 'not reachable'}`
}

/** RFC 4180. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]]
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [, quoted, plain = '', end] = match
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== ',') records.push([])
  }
  return records.filter((record) => record.length > 1)
}
