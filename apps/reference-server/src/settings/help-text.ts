import { SETTING_GROUPS } from './declared-settings.js'
import { flagOf, variableOf, type Setting } from './setting.js'

const USAGE = `Serves the documentation of Doorplate, and a small shop, to people and to AI agents.

Usage
  npm start -- [--port N] ...
  node apps/reference-server/dist/main.js [--config FILE] [settings] [--help] [--version]

Every setting can be given on the command line (--read-limit 60/minute), in the environment (READ_LIMIT=60/minute) or in
a JSON file named by --config ({ "readLimit": "60/minute" }); what comes first here counts more. Relative paths begin in
the project's folder. What is marked * is a secret and not taken from the command line.

Ends with 0 when it was told to stop, 2 when an option or setting is wrong, and 1 when it cannot start otherwise.`

/** What `--help` prints: every setting with its default and unit. */
export function helpText(): string {
  const groups = SETTING_GROUPS.map(({ title, settings }) => [title, ...rowsOf(settings)].join('\n'))
  return [USAGE, ...groups].join('\n\n')
}

function rowsOf(settings: Readonly<Record<string, Setting<unknown>>>): string[] {
  return Object.entries(settings).map(([name, { what, unit = '', defaultText, isSecret }]) => {
    const spelling = isSecret ? `* ${variableOf(name)}` : `  ${flagOf(name)}`
    const value = [defaultText, unit].filter((part) => part !== '').join(' ')
    return `${spelling.padEnd(32)}${value.padEnd(25)}${what}`.trimEnd()
  })
}
