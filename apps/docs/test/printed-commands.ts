import { exec } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { packages } from '../scripts/project.js'

const GUIDES = join(import.meta.dirname, '../site/guides')

/** Where readers are told to run the programs. */
const PRINTED_HOST = 'localhost:3000'

/** `npx` as it is once the packages are installed: `npx --package P command` and `npx @doorplate/package` run a command. */
const NPX = `#!/bin/sh
[ "$1" = --package ] && shift 2
command="\${1#@doorplate/}"
shift
case "$command" in
${packages.flatMap(casesOf).join('\n')}
esac
echo "npx: $command is no command of a package" >&2
exit 127
`

function casesOf({ folder, commands }: (typeof packages)[number]): string[] {
  return commands.map(({ name, file }) => {
    const names = commands.length === 1 ? `${name}|${folder}` : name
    return `  ${names}) exec "${process.execPath}" "${file}" "$@" ;;`
  })
}

/** The commands of a guide that ask a site on the reader's machine, of one section or of all. */
export function printedCommands(guide: string, section?: string): string[] {
  const text = readFileSync(join(GUIDES, `${guide}.md`), 'utf8')
  const part =
    section === undefined ? text : (text.split(/^## /m).find((one) => one.startsWith(section)) ?? '')
  return [...part.matchAll(/^```sh\n([^]*?)^```$/gm)]
    .flatMap(([, fence = '']) =>
      fence
        .replaceAll(/\\\n */g, '')
        .trim()
        .split('\n'),
    )
    .filter((command) => command.includes(PRINTED_HOST))
}

/** Runs a printed command against the site at `origin`, and gives what it prints; one that fails rejects with that. */
export async function runPrinted(command: string, origin: string, folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'npx'), NPX)
  await chmod(join(bin, 'npx'), 0o755)
  const { stdout } = await promisify(exec)(command.replaceAll(PRINTED_HOST, new URL(origin).host), {
    cwd: folder,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
  })
  return stdout
}
