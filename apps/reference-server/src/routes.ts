import type { DocumentType } from './document-sources.js'

/** Paths of the pages for people, and where agents begin. Those of the AADP documents belong to the AADP server. */
export const HOME = '/'
export const LICENSE = '/license'
export const DOCUMENT = '/docs/:type/:slug'
export const ROBOTS = '/robots.txt'
export const STYLESHEET = '/assets/site.css'
export const DESK_STYLESHEET = '/assets/desk.css'
export const ICON = '/assets/icon.svg'
export const CATALOGUE = '/catalogue'
export const INSPECT = '/inspect'
export const ASK = '/ask'
export const WAIT = '/ask/wait/:job{[0-9a-f]{32}}'
export const ASK_SCRIPT_PATH = '/assets/ask.js'
export const LIVE_SCRIPT_PATH = '/assets/live.js'
export const HOME_SCRIPT_PATH = '/assets/home.js'
export const DESK = '/desk'
export const HEALTH = '/health'
export const METRICS = '/metrics'
export const MANIFEST = '/.well-known/ai-manifest.json'
export const SITEMAP_INDEX = '/ai/v1.0/sitemap-index.json'
export const AGENT_MANIFEST = '/.well-known/agent.json'
export const API_CATALOG = '/.well-known/api-catalog'
export const CONVERSE = '/agent/converse'
export const LLMS_TXT = '/llms.txt'
export const MCP = '/mcp'
export const OPENAPI = '/openapi.json'

interface Address {
  readonly type: DocumentType
  readonly slug: string
}

export function pageOf({ type, slug }: Address): string {
  return `/docs/${type}/${slug}`
}

export function entityOf({ type, slug }: Readonly<Record<'type' | 'slug', string>>): string {
  return `/ai/v1.0/entities/${type}/${slug}.json`
}

export function entityIdOf({ type, slug }: Readonly<Record<'type' | 'slug', string>>): string {
  return `${type}:${slug}`
}

/** The name of a product in its entity id. */
export function slugOfSku(sku: string): string {
  return sku.toLowerCase()
}

export function statusOf(jobId: string): string {
  return `${CONVERSE}/status/${jobId}`
}

/** Where a visitor waits for a person. */
export function waitPageOf(jobId: string): string {
  return `${ASK}/wait/${jobId}`
}

export function cataloguePageOf({ type, slug }: Readonly<Record<'type' | 'slug', string>>): string {
  return `${CATALOGUE}/${type}/${slug}`
}

export function inspectionPageOf(id: string): string {
  return `${INSPECT}/${id}`
}
