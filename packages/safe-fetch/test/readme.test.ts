import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { parseOptions } from '../src/options/options.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const rules = readFileSync(new URL('../docs/rules.md', import.meta.url), 'utf8')

/** Each JavaScript block that is followed by a block of what it prints. */
const examples = [
  ...(readme + rules).matchAll(/```js\n((?:(?!```)[\s\S])*)```\s*(?:prints\s*)?```\n([\s\S]*?)```/g),
].map(([, code = '', output = '']) => ({ code, output }))

it('the examples print what they say', () => {
  expect(examples).toHaveLength(2)
  const dist = JSON.stringify(new URL('../dist/index.js', import.meta.url).href)
  for (const { code, output } of examples) {
    const script = code.replace("'@doorplate/safe-fetch'", dist)
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    expect([stdout, stderr]).toEqual([output, ''])
  }
})

it('the defaults are those of the options table', () => {
  const policy = parseOptions({})
  for (const option of [
    'timeoutMs',
    'connectTimeoutMs',
    'addressAttemptTimeoutMs',
    'maxResponseBytes',
    'maxResponseHeaderBytes',
    'maxRedirects',
  ] as const) {
    const row = new RegExp(`\\| \`${option}\`\\s*\\| ([\\d ]+?)\\s*\\|`).exec(readme)
    expect([option, Number(row?.[1]?.replaceAll(' ', ''))]).toEqual([option, policy[option]])
  }
})

it('every error code is in the errors table', () => {
  const source = readFileSync(new URL('../src/errors.ts', import.meta.url), 'utf8')
  const union = /SafeFetchErrorCode =([\s\S]*?)\n\n/.exec(source)?.[1] ?? ''
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(15)
  for (const code of codes) expect(readme).toContain(`\`${code ?? ''}\``)
})
