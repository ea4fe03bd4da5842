export interface SiteResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const HTML = 'text/html; charset=utf-8'

/** Nothing is loaded but from here, nothing runs, nobody frames a page. */
export const SAFETY_HEADERS = {
  'content-security-policy': policy([]),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** A page that is made for one request: its own script runs and its forms are sent, both to nowhere but here. */
export function pageResponse(status: number, body: string): SiteResponse {
  return {
    status,
    headers: {
      ...SAFETY_HEADERS,
      'content-security-policy': policy(["script-src 'self'", "connect-src 'self'"], "form-action 'self'"),
      'content-type': HTML,
      'cache-control': 'no-store',
      // Forms name their origin only under a policy that lets them.
      'referrer-policy': 'same-origin',
    },
    body,
  }
}

function policy(more: readonly string[], formAction = "form-action 'none'"): string {
  return [
    "default-src 'none'",
    ...more,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    formAction,
    "frame-ancestors 'none'",
  ].join('; ')
}
