import type { DocumentType } from './document-sources.js'

/** Paths of the pages for people. Those of the AADP documents belong to the AADP server; these two name its entry points. */
export const HOME = '/'
export const LICENSE = '/license'
export const ROBOTS = '/robots.txt'
export const STYLESHEET = '/assets/site.css'
export const ICON = '/assets/icon.svg'
export const MANIFEST = '/.well-known/ai-manifest.json'
export const SITEMAP_INDEX = '/ai/v1.0/sitemap-index.json'

interface Address {
  readonly type: DocumentType
  readonly slug: string
}

export function pageOf({ type, slug }: Address): string {
  return `/docs/${type}/${slug}`
}

export function entityOf({ type, slug }: Address): string {
  return `/ai/v1.0/entities/${type}/${slug}.json`
}

export function entityIdOf({ type, slug }: Address): string {
  return `${type}:${slug}`
}
