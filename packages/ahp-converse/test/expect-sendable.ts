import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateManifest } from '@doorplate/ahp-manifest'
import { validateResponse } from '@doorplate/ahp-manifest/messages'
import { projectRoot } from '@internal/vectors'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import type { Seen } from './bookshop.js'

const ajv = addFormats.default(new Ajv({ strict: false }))
const published = {
  manifest: ajv.compile(readSchema('manifest')),
  response: ajv.compile(readSchema('response')),
}

function readSchema(name: string): object {
  const path = join(projectRoot, 'schemas', 'ahp', 'draft-0.1', `${name}.schema.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as object
}

/**
 * What holds for every response of every endpoint: the limits and the way to the manifest are told, and a JSON body is
 * valid under our schema and under the one published with the draft.
 */
export function expectSendable({ status, headers, text, json }: Seen): void {
  for (const name of ['limit', 'remaining', 'reset', 'window'])
    expect(headers[`x-ratelimit-${name}`], `x-ratelimit-${name}`).toMatch(/^\d+$/)
  expect(headers['link']).toContain('</.well-known/agent.json>; rel="ahp-manifest agent-manifest"')
  expect(headers['x-powered-by']).toBeUndefined()
  if (status >= 400 && text !== '') expect(json).toMatchObject({ status: 'error' })
  if (json === undefined) return
  if (Object.hasOwn(json as object, 'ahp')) {
    expect(validateManifest(json)).toEqual({ valid: true, issues: [] })
    published.manifest(json)
    expect(published.manifest.errors ?? []).toEqual([])
  } else {
    expect(validateResponse(json)).toEqual({ valid: true, issues: [] })
    // Its prose has these two, and its schema forgot them.
    if (['failed', 'expired'].includes((json as { status: string }).status)) return
    published.response(json)
    expect(published.response.errors ?? []).toEqual([])
  }
}
