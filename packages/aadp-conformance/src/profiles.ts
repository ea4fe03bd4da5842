/** Named sets of limits. */
export type Profile = 'core' | 'public-web' | 'full-traversal' | 'authenticated'

/** What a run may read and take. */
export interface Limits {
  /** Sitemap pages read in one run. Default 1,000; 10,000 for `full-traversal`. */
  readonly maxPages: number
  /** Entities read in one run. Default 200; 100,000 for `full-traversal`. */
  readonly maxEntities: number
  /** Sitemaps that an index may list. Default 100; 1,000 for `full-traversal`. */
  readonly maxSitemaps: number
  /** Requests of one run. Default 5,000; 200,000 for `full-traversal`. */
  readonly maxRequests: number
  /** Milliseconds for the whole run. Default 120,000; 1,800,000 for `full-traversal`. */
  readonly deadlineMs: number
  /** How many entities are read: a sample of that size, or all of them. Default 25; all for `full-traversal`. */
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
