import { join } from 'node:path'
import ts from 'typescript'
import typescriptOldest from 'typescript-oldest'
import { projectRoot } from './workspace-packages.js'

/** The oldest TypeScript that VERSIONING.md promises. */
export const OLDEST_TYPESCRIPT: typeof ts = typescriptOldest as unknown as typeof ts

/** Where the language and Node are declared: the same for every project, so read once, and nothing of ours to check. */
const GIVEN = join(projectRoot, 'node_modules')

/** Each compiler has its own. */
const given = new Map<typeof ts, Map<string, ts.SourceFile | undefined>>()

/**
 * Compiles TypeScript of a user as `tsc` would, checking the declarations of every package that it imports.
 *
 * @param compiler the TypeScript to do it with, if not that of this project
 * @returns what is wrong, a line for each
 */
export function compile(
  files: readonly string[],
  options: ts.CompilerOptions,
  compiler: typeof ts = ts,
): readonly string[] {
  const host = compiler.createCompilerHost(options)
  const known = given.get(compiler) ?? new Map<string, ts.SourceFile | undefined>()
  given.set(compiler, known)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, target, ...rest) => {
    if (!name.startsWith(GIVEN)) return read(name, target, ...rest)
    const file = known.get(name) ?? read(name, target, ...rest)
    known.set(name, file)
    return file
  }
  const program = compiler.createProgram({ rootNames: files, options, host })
  const diagnostics = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...program
      .getSourceFiles()
      .filter(({ fileName }) => !fileName.startsWith(GIVEN))
      .flatMap((file) => program.getSemanticDiagnostics(file)),
  ]
  return diagnostics.map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ''}: ${compiler.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
