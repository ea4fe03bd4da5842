/** Regenerates everything and fails when that changed a file: what is committed must be what the sources say. */
import { execSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

const before = generatedFiles()
execSync('pnpm generate', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
const after = generatedFiles()

const stale = [...new Set([...before.keys(), ...after.keys()])].filter(
  (file) => before.get(file) !== after.get(file),
)
for (const file of stale)
  console.error(`${file} was not up to date; commit what \`pnpm generate\` has written`)
if (stale.length > 0) process.exitCode = 1
else console.log(`${after.size} generated files are up to date`)

/** Text of every generated file by its path from the root. */
function generatedFiles() {
  const folders = readdirSync(join(root, 'packages')).map((name) => join('packages', name, 'src'))
  const paths = ['spec', ...folders].flatMap((folder) => filesUnder(folder))
  const generated = paths.filter((path) => /[\\/]generated[\\/]|\.requirements\.json$/.test(path))
  return new Map(generated.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** @param {string} folder */
function filesUnder(folder) {
  try {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
