import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from './source-files.js'
import { packages, projectRoot } from './workspace-packages.js'

/** What a package or app imports of the others, by folder name. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Reads the imports of every package, and of every app that has sources. */
export function readImports(): Imports {
  const apps = readdirSync(join(projectRoot, 'apps')).map((folder) => ({
    folder,
    path: join(projectRoot, 'apps', folder),
  }))
  const members = [...packages, ...apps].filter(({ path }) => existsSync(join(path, 'src')))
  const names = new Set(members.map(({ folder }) => folder))
  return new Map(
    members.map(({ folder, path }) => {
      const specifiers = sourceFiles(join(path, 'src')).flatMap(({ imports }) => imports)
      const imported = specifiers.map((specifier) => /^@doorplate\/([^/]+)/.exec(specifier)?.[1] ?? '')
      return [folder, new Set(imported.filter((name) => names.has(name) && name !== folder))]
    }),
  )
}

const BOX = { width: 164, height: 46 } as const
const GAP = 24
const FLOOR = 150
const STYLE = `rect{fill:#f6f8fa;stroke:#57606a}text{font:600 14px system-ui,sans-serif;fill:#1f2328;text-anchor:middle}path{fill:none;stroke:#8c959f;stroke-width:1.5}marker path{fill:#8c959f;stroke:none}
@media(prefers-color-scheme:dark){rect{fill:#161b22;stroke:#8b949e}text{fill:#e6edf3}path{stroke:#6e7681}marker path{fill:#6e7681}}`

/**
 * The house as an SVG: whoever imports nothing stands on the ground, everybody else a floor above what it imports. An arrow that
 * a longer way shows already is left out.
 */
export function drawHouse(imports: Imports): string {
  const floors = floorsOf(imports)
  const widest = Math.max(...floors.map((floor) => floor.length))
  const width = widest * (BOX.width + GAP) + GAP
  const height = floors.length * FLOOR - (FLOOR - BOX.height) + 2 * GAP
  const places = new Map<string, { x: number; y: number }>()
  for (const [index, floor] of floors.entries()) {
    const step = width / floor.length
    const y = height - GAP - BOX.height - index * FLOOR
    const wish = (name: string): number =>
      mean([...(imports.get(name) ?? [])].map((other) => places.get(other)?.x ?? 0))
    const ordered = floor.toSorted((a, b) => wish(a) - wish(b) || (a < b ? -1 : 1))
    for (const [position, name] of ordered.entries())
      places.set(name, { x: Math.round(step * (position + 0.5)), y })
  }
  const boxes = [...places].map(
    ([name, { x, y }]) =>
      `<rect x="${x - BOX.width / 2}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${x}" y="${y + 28}">${name}</text>`,
  )
  const arrows = essentialEdges(imports).map(([from, to]) => {
    const [start, end] = [places.get(from)!, places.get(to)!]
    const [top, bottom] = [start.y + BOX.height, end.y - 7]
    const bend = (bottom - top) / 2
    return `<path marker-end="url(#tip)" d="M${start.x} ${top}C${start.x} ${top + bend} ${end.x} ${bottom - bend} ${end.x} ${bottom}"/>`
  })
  const tip =
    '<marker id="tip" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8Z"/></marker>'
  const label = 'Which package imports which: apps at the top, contracts and carriers on the ground.'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">\n<style>${STYLE}</style>\n<defs>${tip}</defs>\n${[...arrows, ...boxes].join('\n')}\n</svg>\n`
}

/** Names by floor, the ground first. Throws where imports go round. */
export function floorsOf(imports: Imports): readonly (readonly string[])[] {
  const floors: string[][] = []
  let waiting = [...imports.keys()].sort()
  const placed = new Set<string>()
  while (waiting.length > 0) {
    const floor = waiting.filter((name) => [...(imports.get(name) ?? [])].every((other) => placed.has(other)))
    if (floor.length === 0) throw new Error(`These import each other: ${waiting.join(', ')}`)
    floors.push(floor)
    for (const name of floor) placed.add(name)
    waiting = waiting.filter((name) => !placed.has(name))
  }
  return floors
}

function essentialEdges(imports: Imports): readonly (readonly [from: string, to: string])[] {
  return [...imports].flatMap(([from, targets]) => {
    const further = new Set([...targets].flatMap((target) => [...(imports.get(target) ?? [])]))
    return [...targets]
      .filter((target) => !further.has(target))
      .sort()
      .map((to) => [from, to] as const)
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
