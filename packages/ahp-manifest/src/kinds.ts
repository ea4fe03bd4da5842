/** The version of the protocol that this package writes; every other is read as far as it is understood. */
export const AHP_VERSION = '0.1'
/** The wire version. */
export type AhpVersion = typeof AHP_VERSION

export const MANIFEST_KINDS = ['manifest'] as const
export type ManifestKind = (typeof MANIFEST_KINDS)[number]

export const MESSAGE_KINDS = [
  'request',
  'response',
  'payload-data',
  'payload-feed',
  'payload-video',
  'payload-audio',
  'payload-image',
  'payload-download',
  'payload-action-result',
] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]
