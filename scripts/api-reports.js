/**
 * Writes `packages/<package>/api/<entry>.api.md`: the public declarations of each entry, so that a reviewer sees in a diff what a
 * change means to users. Needs a build. Usage: `node scripts/api-reports.js [--check] [package ...]`; `--check` changes nothing and
 * fails when a report is not up to date.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'

/** @typedef {{ path: string, name: string, types: string }} Entry `types` is the path of its declarations */
/** @typedef {{ private?: boolean, exports?: Record<string, string | { types?: string }> }} Manifest */

const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const COMPILER_OPTIONS = {
  module: 'NodeNext',
  target: 'ES2022',
  lib: ['ES2023'],
  types: ['node'],
  skipLibCheck: true,
}
const scratch = mkdtempSync(join(tmpdir(), 'api-reports-'))

try {
  const folders = readdirSync(join(root, 'packages'))
  const entries = folders.filter((name) => wanted.length === 0 || wanted.includes(name)).flatMap(entriesOf)
  const changed = entries.filter((entry) => !isUpToDate(entry))
  for (const { path, name } of changed)
    console.log(`${reportFile(path, name)} ${isCheck ? 'is not up to date' : 'is written'}`)
  if (isCheck && changed.length > 0) {
    console.error('Look at what `pnpm generate:api` writes, and commit it with its cause.')
    process.exitCode = 1
  } else console.log(`${entries.length} reports are up to date`)
} finally {
  rmSync(scratch, { recursive: true })
}

/** @param {string} folder @returns {Entry[]} */
function entriesOf(folder) {
  const path = join(root, 'packages', folder)
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
    const types = typeof target === 'string' ? undefined : target.types
    return types === undefined
      ? []
      : [{ path, name: key === '.' ? 'index' : key.slice(2), types: join(path, types) }]
  })
}

/** Compares the report of an entry with its declarations, and writes it unless this is a check. @param {Entry} entry */
function isUpToDate({ path, name, types }) {
  const reportFolder = join(path, 'api')
  if (!isCheck) mkdirSync(reportFolder, { recursive: true })
  const silent = { default: { logLevel: ExtractorLogLevel.None } }
  const extractorConfig = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(path, 'package.json'),
    configObject: {
      projectFolder: path,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, include: [types] } },
      apiReport: { enabled: true, reportFolder, reportFileName: name, reportTempFolder: scratch },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: silent,
        extractorMessageReporting: silent,
        tsdocMessageReporting: silent,
      },
    },
  })
  const result = Extractor.invoke(extractorConfig, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = true
    },
  })
  return !result.apiReportChanged
}

/** @param {string} path @param {string} name */
function reportFile(path, name) {
  return join(path, 'api', `${name}.api.md`).slice(root.length + 1)
}
