/**
 * `npm start`, `npm run demo` and `npm test` on a machine that has only Node and npm: installs what is missing, builds what changed and
 * runs the task. `pnpm start` and `pnpm test` come through here too. Usage: `node scripts/bootstrap.js start|demo|test [arguments]`.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import {
  installCommand,
  installStamp,
  pnpmVersionOf,
  progressLine,
  stepsOf,
  unsupportedNode,
} from './toolchain.js'

/** @typedef {import('./toolchain.js').Command & { announce?: string | undefined, cwd?: string }} Run */

const PARENT_CHECK_MS = 250
const PROGRESS_MS = 1000
const root = resolve(fileURLToPath(new URL('..', import.meta.url)))
const stampFile = join(root, 'node_modules', '.doorplate-install')
/** @type {{ engines: { node: string }, packageManager: string }} */
const { engines, packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** @type {import('node:child_process').ChildProcess | undefined} */
let running
/** @type {NodeJS.Signals | undefined} */
let stoppedBy

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    stop(signal)
  })
}
if (process.env['npm_lifecycle_event'] !== undefined) stopWithParent()

process.exitCode = await bootstrap(process.argv[2], process.argv.slice(3))

/** @param {string | undefined} task @param {string[]} extra @returns {Promise<number>} the exit code */
async function bootstrap(task, extra) {
  const complaint = unsupportedNode(process.version, engines.node)
  if (complaint !== undefined) return fail(complaint)
  const steps = stepsOf(task, extra)
  if (steps === undefined) return fail('Usage: node scripts/bootstrap.js start|demo|test [arguments]')

  const installed = await install()
  if (installed !== 0) return installed
  for (const step of steps) {
    const args = step.bin === 'node' ? step.args : [binOf(step.bin), ...step.args]
    const code = await run({ file: process.execPath, args, shell: false, announce: step.announce })
    if (code !== 0) return code
  }
  return 0
}

/** A closed terminal ends what was started from it, also where that takes SIGHUP for something else. @param {NodeJS.Signals} signal */
function stop(signal) {
  stoppedBy = signal
  running?.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
}

/** npm hands SIGTERM to the shell between it and us, which dies of it and tells nobody: its end is the message. */
function stopWithParent() {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    stop('SIGTERM')
  }, PARENT_CHECK_MS)
  watch.unref()
}

/** @param {string} line */
function fail(line) {
  console.error(line)
  return 1
}

async function install() {
  const pnpmVersion = pnpmVersionOf(packageManager)
  const { platform, arch, version: nodeVersion, env, execPath } = process
  const lockfile = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')
  const stamp = installStamp({ lockfile, pnpmVersion, platform, arch, nodeVersion })
  if (readStamp() === stamp) return 0

  const command = installCommand({
    root,
    pnpmVersion,
    npmExecPath: env['npm_execpath'],
    nodePath: execPath,
    nodeVersion,
    platform,
  })
  const announce = 'Installing what the project needs: once and after changes, for half a minute or so'
  const code = await run({ ...command, announce, cwd: tmpdir() })
  if (code === 0) {
    mkdirSync(join(root, 'node_modules'), { recursive: true })
    writeFileSync(stampFile, stamp)
  }
  return code
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return undefined
  }
}

/** The script behind a tool's command: started by node itself, it needs no shell and no batch file. @param {string} tool */
function binOf(tool) {
  const folder = join(root, 'node_modules', tool)
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : (bin[tool] ?? ''))
}

/** @param {Run} command @returns {Promise<number>} */
function run({ file, args, shell, announce, cwd = root }) {
  if (stoppedBy !== undefined) return Promise.resolve(codeOf(null, stoppedBy))
  const isQuiet = announce !== undefined
  const endProgress = isQuiet ? showProgress(announce) : undefined
  /** @type {Buffer[]} */
  const output = []
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      shell,
      stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: environment(),
    })
    running = child
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (/** @type {Buffer} */ chunk) => output.push(chunk))
    }
    child.on('error', (error) => {
      endProgress?.()
      resolve(fail(`${file} did not start: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      const exitCode = codeOf(code, signal)
      endProgress?.()
      if (exitCode !== 0 && stoppedBy === undefined) process.stderr.write(Buffer.concat(output))
      resolve(exitCode)
    })
  })
}

/** Says what is done, and on a terminal for how long already. @param {string} announce @returns {() => void} ends it */
function showProgress(announce) {
  const beganAt = Date.now()
  const { stderr } = process
  if (!stderr.isTTY) {
    console.error(`${announce} ...`)
    return () => undefined
  }
  const show = () => {
    const line = progressLine(announce, { elapsedMs: Date.now() - beganAt, columns: stderr.columns })
    stderr.write(`\r\u001B[K${line}`)
  }
  show()
  const timer = setInterval(show, PROGRESS_MS)
  return () => {
    clearInterval(timer)
    show()
    stderr.write('\n')
  }
}

/** turbo looks for pnpm on the PATH; ours is a dependency of the project. What npm says of its own place is left out. */
function environment() {
  const { npm_config_local_prefix: _place, ...inherited } = process.env
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return {
    ...inherited,
    [pathName]: [join(root, 'node_modules', '.bin'), process.env[pathName]].join(delimiter),
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
  }
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
function codeOf(code, signal) {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal])
}
