/** Name of an extension member, allowed wherever the schemas say so. */
export const EXTENSION_KEY_GRAMMAR: RegExp = /^x_[a-zA-Z0-9_]*$/

/** A token: resource types, interface ids and types, names of security schemes. */
export const TOKEN_GRAMMAR: RegExp = /^[a-z][a-z0-9_-]*$/

/** An identifier of an entity or module, `type:name`: two tokens joined by a colon. */
export const ENTITY_ID_GRAMMAR: RegExp = /^[a-z][a-z0-9_-]*:[a-z][a-z0-9_-]*$/

/** A checksum: `sha256:` and 64 lower-case hexadecimal digits. */
export const CHECKSUM_GRAMMAR: RegExp = /^sha256:[a-f0-9]{64}$/

/** True when `key` may name an extension member. */
export function isExtensionKey(key: string): boolean {
  return EXTENSION_KEY_GRAMMAR.test(key)
}
