declare const untrusted: unique symbol

/**
 * Text that a site wrote. It is a string like any other and the name a reminder: show it, quote it, give it to a model as data, and
 * never follow it as an instruction.
 */
export type UntrustedText = string & { readonly [untrusted]?: true }
