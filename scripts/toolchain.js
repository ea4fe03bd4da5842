import { createHash } from 'node:crypto'
import { basename } from 'node:path'

/**
 * The pure half of `bootstrap.js`: what to check, what to compare and what to run.
 *
 * @typedef {{ file: string, args: string[], shell: boolean }} Command
 * @typedef {{ root: string, pnpmVersion: string, npmExecPath: string | undefined, nodePath: string, nodeVersion: string, platform: string }} Machine
 * @typedef {{ bin: string, args: string[], announce?: string }} Step `announce` marks a step whose output is shown only when it fails.
 */

const TOOLS_NODE = '20.19.0'

/**
 * @param {string} version e.g. `v20.20.2`
 * @param {string} range `engines.node`, of the form `>=X.Y.Z`
 * @returns {string | undefined} one line for a person, or undefined when the version is new enough
 */
export function unsupportedNode(version, range) {
  const minimum = range.replace('>=', '')
  if (!isOlder(numbersOf(version), numbersOf(minimum))) return undefined
  return `Doorplate needs Node.js ${minimum} or newer, and this is ${version}. Get one at https://nodejs.org.`
}

/** @param {string} version */
function numbersOf(version) {
  return version
    .replace(/^v/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10))
}

/** @param {number[]} left @param {number[]} right */
function isOlder(left, right) {
  for (const [place, wanted] of right.entries()) {
    const found = left[place] ?? 0
    if (found !== wanted) return found < wanted
  }
  return false
}

/** @param {string} packageManager `packageManager` of package.json, e.g. `pnpm@10.34.9` */
export function pnpmVersionOf(packageManager) {
  return packageManager.replace(/^pnpm@/, '').replace(/\+.*$/, '')
}

/**
 * Names one state of node_modules: a change of the lockfile, of pnpm or of Node asks for a new install.
 *
 * @param {{ lockfile: string, pnpmVersion: string, platform: string, arch: string, nodeVersion: string }} state
 */
export function installStamp(state) {
  const parts = [state.lockfile, state.pnpmVersion, state.platform, state.arch, state.nodeVersion]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/**
 * Runs the pnpm that started us, else the wanted one through npm, which keeps it in its own cache. Nothing is installed globally.
 * To be run outside the project: npm would choose the pnpm in node_modules, which cannot replace the folder that it runs from.
 *
 * @param {Machine} machine
 * @returns {Command}
 */
export function installCommand({ root, pnpmVersion, npmExecPath, nodePath, nodeVersion, platform }) {
  const install = ['--dir', root, 'install', '--frozen-lockfile', ...enginesFor(nodeVersion)]
  const quiet = ['--config.confirm-modules-purge=false', '--loglevel=error']
  const starter = npmExecPath === undefined ? '' : basename(npmExecPath.replaceAll('\\', '/'))

  if (npmExecPath !== undefined && starter.startsWith('pnpm')) {
    const isScript = /\.[cm]?js$/.test(starter)
    return isScript
      ? { file: nodePath, args: [npmExecPath, ...install, ...quiet], shell: false }
      : { file: npmExecPath, args: [...install, ...quiet], shell: false }
  }
  if (npmExecPath !== undefined && starter === 'npm-cli.js') {
    const exec = ['exec', '--yes', '--', `pnpm@${pnpmVersion}`]
    return { file: nodePath, args: [npmExecPath, ...exec, ...install, ...quiet], shell: false }
  }
  // On Windows npx is a batch file, which Node starts only through a shell: the folder is quoted for it.
  const shell = platform === 'win32'
  const args = ['--yes', `pnpm@${pnpmVersion}`, ...install, ...quiet]
  return { file: 'npx', args: shell ? args.map((arg) => (arg === root ? `"${root}"` : arg)) : args, shell }
}

/**
 * What a terminal shows of a step that is under way, cut to one line of it.
 *
 * @param {string} announce
 * @param {{ elapsedMs: number, columns: number }} state
 */
export function progressLine(announce, { elapsedMs, columns }) {
  const time = ` ... ${Math.floor(elapsedMs / 1000)} s`
  return announce.slice(0, Math.max(0, columns - 1 - time.length)) + time
}

/** Some tools ask for Node 20.19 and run on 20.18 as well; pnpm would leave their native parts out. @param {string} nodeVersion */
function enginesFor(nodeVersion) {
  return isOlder(numbersOf(nodeVersion), numbersOf(TOOLS_NODE)) ? [`--config.node-version=${TOOLS_NODE}`] : []
}

/**
 * @param {string | undefined} task
 * @param {string[]} extra arguments after the task, handed to its last step
 * @returns {Step[] | undefined} undefined for a task that does not exist
 */
export function stepsOf(task, extra) {
  const build = ['run', 'build', '--output-logs=errors-only']
  if (task === 'demo') {
    return [
      {
        bin: 'turbo',
        args: [...build, '--filter=@doorplate/reference-server'],
        announce:
          'Building the reference server and its visitor: half a minute at first, then what has changed',
      },
      { bin: 'node', args: ['apps/reference-server/dist/demo.js', ...extra] },
    ]
  }
  if (task === 'start') {
    return [
      {
        bin: 'turbo',
        // The client is what the README reads the server with.
        args: [...build, '--filter=@doorplate/reference-server', '--filter=@doorplate/aadp-client'],
        announce: 'Building the reference server: half a minute at first, then what has changed',
      },
      { bin: 'node', args: ['apps/reference-server/dist/main.js', ...extra] },
    ]
  }
  if (task === 'test') {
    return [
      {
        bin: 'turbo',
        // The site of the documentation builds itself where it is tested.
        args: ['run', 'build', '--filter=!@doorplate/docs', '--output-logs=errors-only'],
        announce: 'Building every package: a minute at first, then what has changed',
      },
      { bin: 'vitest', args: ['run', ...extra] },
    ]
  }
  return undefined
}
