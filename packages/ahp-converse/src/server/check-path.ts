import { invalidOption } from '../converse-error.js'

/** A path on the origin of the site, percent-encoded. @throws {ConverseError} `invalid_option` */
export function checkPath(option: string, path: unknown): string {
  if (typeof path === 'string' && /^\/(?!\/)[\w.~!$&'()*+,;=:@/%-]+$/.test(path)) return path
  throw invalidOption(option, 'must be a path, percent-encoded')
}
