import { createHeaderList } from '../header-list.js'
import type { HeaderList } from '../header-list.js'
import { entriesOption, invalidOption } from './validate-option.js'

/** Header fields for one origin each: `{ "https://api.example": { authorization: "Bearer ..." } }`. */
export type Credentials = Readonly<Record<string, Readonly<Record<string, string>>>>

export function parseCredentials(credentials: Credentials | undefined): ReadonlyMap<string, HeaderList> {
  const byOrigin = new Map<string, HeaderList>()
  for (const [origin, fields] of entriesOption('credentials', credentials)) {
    if (!isOrigin(origin)) throw invalidOption('credentials', 'keyed by origins such as https://api.example')
    byOrigin.set(origin, createHeaderList('credentials', entriesOption('credentials', fields)))
  }
  return byOrigin
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text
}
