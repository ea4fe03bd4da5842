import {
  parseManifest,
  type Authentication,
  type Capability,
  type ReadManifest,
} from '@doorplate/ahp-manifest'
import type { Reading } from './reading.js'

/** What the site says of itself, read as a tolerant agent reads it, with URLs that can be asked. */
export interface Declared {
  readonly manifest: ReadManifest
  /** Its final URL. */
  readonly manifestUrl: string
  readonly authentication: Authentication
  readonly capabilities: readonly Capability[]
  /** Whether it answers questions at all. */
  readonly isInteractive: boolean
  /** Whether anything is answered later. */
  readonly answersLater: boolean
  readonly contentUrl: string | undefined
  readonly converseUrl: string
  readonly mcpUrl: string | undefined
  readonly openapiUrl: string | undefined
  /** Where the state of a job with this id is told. */
  readonly statusUrl: (id: string) => string
}

/** Reads the manifest that came; the caller has seen that it is one. */
export function readDeclared({ text, url }: Reading): Declared {
  const { manifest } = parseManifest(text)
  const { endpoints, integrations, capabilities, modes } = manifest
  const absolute = (reference: string | undefined): string | undefined =>
    reference !== undefined && URL.canParse(reference, url) ? new URL(reference, url).href : undefined
  const converseUrl = absolute(endpoints.converse) ?? new URL('/agent/converse', url).href
  const integrationUrl = (name: string): string | undefined =>
    Object.hasOwn(integrations, name) ? absolute(integrations[name]?.url) : undefined
  return {
    manifest,
    manifestUrl: url,
    authentication: manifest.authentication ?? 'none',
    capabilities,
    isInteractive: modes.some((mode) => mode !== 'MODE1'),
    answersLater:
      manifest.async?.supported === true || capabilities.some(({ action_type: type }) => type === 'async'),
    contentUrl: absolute(endpoints.content),
    converseUrl,
    mcpUrl: integrationUrl('mcp'),
    openapiUrl: integrationUrl('openapi'),
    statusUrl: (id) => `${converseUrl.replace(/[?#].*$/, '')}/status/${encodeURIComponent(id)}`,
  }
}

/** Whether nobody may use it without a credential: actions, what takes its time, and what says so. */
export function needsCredential({ action_type: type, auth_required: isSaid }: Capability): boolean {
  return type === 'action' || type === 'async' || isSaid === true
}

/** Whether asking it changes nothing and starts nothing. */
export function onlyAnswers({ mode, action_type: type }: Capability): boolean {
  return mode === 'MODE2' || (mode === 'MODE3' && type === 'query')
}
