interface Planned {
  readonly isOwnSite: boolean
  readonly suites: boolean
}

/** After how many milliseconds an inspection is ended: strangers' sites do not keep others waiting for long. */
export function inspectionDeadlineMs({ isOwnSite, suites }: Planned): number {
  if (!suites) return 90_000
  return isOwnSite ? 600_000 : 180_000
}
