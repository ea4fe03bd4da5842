/** A response type: `text/answer`, `media/video`, `x-vendor/name`. */
export const RESPONSE_TYPE_GRAMMAR: RegExp =
  /^(text|application|media|file|x-[a-z][a-z0-9-]*)\/[a-z][a-z0-9_-]*$/

/** The name of a capability; at most 64 characters. */
export const CAPABILITY_NAME_GRAMMAR: RegExp = /^[a-z][a-z0-9_]{0,63}$/

/** The response types that AHP 0.1 registers (appendix C). */
export const REGISTERED_TYPES = [
  'text/answer',
  'application/data',
  'application/feed',
  'media/video',
  'media/audio',
  'media/image',
  'file/download',
  'application/action-result',
] as const

/** A response type of AHP 0.1. */
export type RegisteredType = (typeof REGISTERED_TYPES)[number]
