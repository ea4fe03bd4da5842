/** Wire versions this package knows, oldest first. Nothing falls back from one to another. */
export const SUPPORTED_VERSIONS = ['0.1', '1.0'] as const

/** The five documents of the protocol. */
export const KINDS = ['manifest', 'sitemap-index', 'sitemap', 'entity', 'error'] as const

export type AadpVersion = (typeof SUPPORTED_VERSIONS)[number]
export type Kind = (typeof KINDS)[number]
