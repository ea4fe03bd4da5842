export type Undici = typeof import('undici')

let loading: Promise<Undici> | undefined

/** Loads undici at the first request: it costs more than the rest of the package together. */
export function loadUndici(): Promise<Undici> {
  loading ??= import('undici')
  return loading
}
