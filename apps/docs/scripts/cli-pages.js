/** What each command says of itself. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { packages } from './project.js'

/** @returns {Promise<import('./repository-page.js').Page[]>} */
export async function cliPages() {
  const commands = packages.flatMap((one) => one.commands.map((command) => ({ ...command, package: one })))
  const pages = await Promise.all(
    commands.map(async ({ name, file, package: { folder, name: packageName } }) => ({
      path: `reference/cli/${name}.md`,
      text: `# ${name}

Of [${packageName}](/reference/packages/${folder}.md). This is what \`${name} --help\` prints.

\`\`\`text
${await helpOf(file)}
\`\`\`
`,
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
      text: `# Commands\n\n| command | package |\n| --- | --- |\n${rows.join('\n')}\n`,
    },
  ]
}

/** @param {string} file */
async function helpOf(file) {
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--help'], {
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  })
  return stdout.trim()
}
