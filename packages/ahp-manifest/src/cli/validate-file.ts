import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { isAhpManifestError } from '../manifest/ahp-manifest-error.js'
import { manifestIssues } from '../manifest/manifest-issues.js'
import { parseManifest } from '../manifest/parse-manifest.js'
import { resultOf, type ValidationIssue } from '../validation-issue.js'
import type { CliOutput } from './cli-output.js'

/** `ahp-manifest validate`. */
export async function validateFile(args: readonly string[], { print }: CliOutput): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { tolerant: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0)
    throw new Error('validate takes one file, or - for standard input')
  const json = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  const issues = values.tolerant ? tolerantIssues(json) : strictIssues(json)
  const { valid } = resultOf(issues)
  print(values.json ? JSON.stringify({ valid, issues }, null, 2) : report(valid, issues))
  return valid ? 0 : 1
}

/** Everything, other documents included, as issues. */
function strictIssues(json: string): readonly ValidationIssue[] {
  const other = otherDocument(json)
  if (other !== undefined) return [other]
  return manifestIssues(JSON.parse(json.replace(/^\uFEFF/, '')))
}

function tolerantIssues(json: string): readonly ValidationIssue[] {
  try {
    return parseManifest(json).warnings
  } catch (error) {
    return issuesOf(error)
  }
}

function otherDocument(json: string): ValidationIssue | undefined {
  try {
    parseManifest(json)
    return undefined
  } catch (error) {
    if (isAhpManifestError(error) && error.code === 'invalid_manifest') return undefined
    return issuesOf(error)[0]
  }
}

function issuesOf(error: unknown): readonly ValidationIssue[] {
  if (!isAhpManifestError(error)) throw error
  if (error.code === 'invalid_manifest') return error.issues
  return [{ level: 'error', code: error.code, path: '', message: error.message, rule: 'AHP01-R-004' }]
}

function report(valid: boolean, issues: readonly ValidationIssue[]): string {
  const lines = issues.map(
    ({ level, code, path, message, rule }) =>
      `${level} ${path === '' ? '(root)' : path} ${code}: ${message} [${rule}]`,
  )
  return [...lines, valid ? 'valid' : 'not valid'].join('\n')
}
