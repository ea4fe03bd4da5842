import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import type { Site } from './site.js'

/** The guarded transport with the loopback hosts of some sites allowed. */
export function fetchFor(...sites: readonly Site[]): SafeFetch {
  return createSafeFetch({ dangerouslyAllow: sites.map(({ host }) => host) })
}
