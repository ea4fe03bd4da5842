/** Named sets of limits. */
export type Profile = 'core' | 'public-web' | 'full-traversal' | 'authenticated'

/** What a run may read and take. */
export interface Limits {
  /** Sitemap pages read in one run. */
  readonly maxPages: number
  /** Entities read in one run. */
  readonly maxEntities: number
  /** Sitemaps that an index may list. */
  readonly maxSitemaps: number
  readonly maxRequests: number
  /** Time for the whole run. */
  readonly deadlineMs: number
  /** How many entities are read: a sample of that size, or all of them. */
  readonly entities: number | 'all'
}

const DEFAULTS: Limits = {
  maxPages: 1_000,
  maxEntities: 200,
  maxSitemaps: 100,
  maxRequests: 5_000,
  deadlineMs: 120_000,
  entities: 25,
}

/** Profiles change limits and never which checks are run. */
export const PROFILES: Readonly<Record<Profile, Limits>> = {
  core: DEFAULTS,
  'public-web': DEFAULTS,
  authenticated: DEFAULTS,
  'full-traversal': {
    maxPages: 10_000,
    maxEntities: 100_000,
    maxSitemaps: 1_000,
    maxRequests: 200_000,
    deadlineMs: 1_800_000,
    entities: 'all',
  },
}
