import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'

/** A source file and what it imports, as written; types count like values. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly string[]
}

/** Every shipped TypeScript source below `folder`; tests are left out. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$/.test(name))
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(path, 'utf8')
      return { path, text, imports: ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName) }
    })
}

/** The statements of a file that declare or do something, where only `export ... from` belongs. */
export function otherThanExports(path: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
  return statements
    .filter((statement) => !ts.isExportDeclaration(statement))
    .map((statement) => statement.getText())
}

/** Files that one file imports from the same folder of sources. */
function importedFiles(file: SourceFile): readonly string[] {
  return file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => join(dirname(file.path), specifier).replace(/\.js$/, '.ts'))
}

/** The first import cycle found, as paths relative to `folder`. */
export function importCycle(folder: string): readonly string[] | undefined {
  const files = new Map(sourceFiles(folder).map((file) => [file.path, file]))
  const finished = new Set<string>()
  for (const path of files.keys()) {
    const cycle = cycleFrom(path, [])
    if (cycle !== undefined) return cycle.map((member) => relative(folder, member).split(sep).join('/'))
  }
  return undefined

  function cycleFrom(path: string, trail: readonly string[]): readonly string[] | undefined {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    const file = files.get(path)
    if (file === undefined || finished.has(path)) return undefined
    for (const next of importedFiles(file)) {
      const cycle = cycleFrom(next, [...trail, path])
      if (cycle !== undefined) return cycle
    }
    finished.add(path)
    return undefined
  }
}

/** The file at `entry` and everything it reaches by relative imports. */
export function reachableFrom(entry: string, folder: string): readonly SourceFile[] {
  const files = new Map(sourceFiles(folder).map((file) => [file.path, file]))
  const reached = new Map<string, SourceFile>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = files.get(path)
    if (file === undefined || reached.has(path)) continue
    reached.set(path, file)
    waiting.push(...importedFiles(file))
  }
  return [...reached.values()]
}
