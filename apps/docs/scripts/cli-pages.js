/** What each command says of itself. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { packages } from './project.js'

/** Commands of commands that have a help of their own. */
const SUBCOMMANDS = new Map([
  ['agent-discovery', ['check']],
  ['ahp-conformance', ['agent']],
])

/** @returns {Promise<import('./repository-page.js').Page[]>} */
export async function cliPages() {
  const commands = packages.flatMap((one) => one.commands.map((command) => ({ ...command, package: one })))
  const pages = await Promise.all(
    commands.map(async ({ name, file, package: { folder, name: packageName } }) => ({
      path: `reference/cli/${name}.md`,
      text: `# ${name}

The command \`${name}\` of [${packageName}](/reference/packages/${folder}.md) prints this of itself:

${await helpBlock(name, file)}
${(await Promise.all((SUBCOMMANDS.get(name) ?? []).map((sub) => subcommandHelp(name, file, sub)))).join('\n')}`,
    })),
  )
  const rows = commands.map(
    ({ name, package: { folder } }) =>
      `| [\`${name}\`](/reference/cli/${name}.md) | [${folder}](/reference/packages/${folder}.md) |`,
  )
  return [
    ...pages,
    {
      path: 'reference/cli/index.md',
      text: `# Commands\n\nWhat each command prints of itself, with its options and their defaults.\n\n| command | package |\n| --- | --- |\n${rows.join('\n')}\n`,
    },
  ]
}

/**
 * @param {string} name
 * @param {string} file
 * @param {string} subcommand
 */
async function subcommandHelp(name, file, subcommand) {
  return `## ${name} ${subcommand}\n\n${await helpBlock(name, file, subcommand)}`
}

/**
 * @param {string} name
 * @param {string} file
 * @param {readonly string[]} args
 */
async function helpBlock(name, file, ...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args, '--help'], {
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  })
  if (stdout.trim() === '') throw new Error(`${[name, ...args].join(' ')} has no help`)
  return `\`\`\`text\n${stdout.trim()}\n\`\`\`\n`
}
