import { join } from 'node:path'
import ts from 'typescript'
import { projectRoot } from './workspace-packages.js'

/** Where the language and Node are declared: the same for every project, so read once, and nothing of ours to check. */
const GIVEN = join(projectRoot, 'node_modules')

const given = new Map<string, ts.SourceFile | undefined>()

/**
 * Compiles TypeScript of a user as `tsc` would, checking the declarations of every package that it imports.
 *
 * @returns what is wrong, a line for each
 */
export function compile(files: readonly string[], options: ts.CompilerOptions): readonly string[] {
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, target, ...rest) => {
    if (!name.startsWith(GIVEN)) return read(name, target, ...rest)
    const known = given.get(name) ?? read(name, target, ...rest)
    given.set(name, known)
    return known
  }
  const program = ts.createProgram({ rootNames: files, options, host })
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
      `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  )
}
