const REDACTED = '[redacted]'

/** What errors of libraries are known to carry; the first group is kept. */
const SECRETS: readonly RegExp[] = [
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]+/gi,
  /(\b(?:authorization|cookie|set-cookie)\b["']?\s*[=:]\s*)[^\r\n]+/gi,
  /(\b[\w-]{0,32}(?:password|passwd|secret|token|api[-_]?key|ahp-key|credential|signature)\b["']?\s*[=:]\s*["']?)[^\s"',;&)}]+/gi,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@]+(?=@)/gi,
  /(\b(?:https?|wss?):\/\/[^\s/?#"'<>`]+)[/?#][^\s"'<>`]*/gi,
  /()\bwhs(?:ec|k)_[\w+/=-]+/g,
  /()\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|npm|xox[abp])[-_][\w-]{10,}/g,
  /()\bAKIA[0-9A-Z]{16}\b/g,
  /()\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /()[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
]
const MAX_LENGTH = 4096

/**
 * A text without credentials, paths and queries of URLs and e-mail addresses, as far as they can be told by their form. It is
 * cut afterwards once more, so that no secret that is cut in two is kept for having half its form.
 */
export function redact(text: string): string {
  const near = text.slice(0, 2 * MAX_LENGTH)
  return SECRETS.reduce((rest, secret) => rest.replace(secret, `$1${REDACTED}`), near).slice(0, MAX_LENGTH)
}
