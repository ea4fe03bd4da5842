/** Wire versions this package knows, oldest first. Nothing falls back from one to another. */
export const SUPPORTED_VERSIONS = ['0.1', '1.0'] as const

/** The five documents of the protocol. */
export const KINDS = ['manifest', 'sitemap-index', 'sitemap', 'entity', 'error'] as const

/** A wire version that can be judged. */
export type AadpVersion = (typeof SUPPORTED_VERSIONS)[number]
/** A kind of document. */
export type Kind = (typeof KINDS)[number]
