import type { CoreResponse } from '../server/core-message.js'
import type { DeskSettings } from './desk-options.js'
import { type Markup, markup } from './markup.js'
import { page, type PageParts } from './page.js'
import { SCRIPT } from './script.js'
import { STYLE } from './style.js'

type Headers = Readonly<Record<string, string>>

export interface DeskResponses {
  readonly show: (
    parts: Omit<PageParts, 'desk'> & { readonly status?: number; readonly headers?: Headers },
  ) => Promise<CoreResponse>
  readonly refuse: (
    status: number,
    title: string,
    text: string | Markup,
    headers?: Headers,
  ) => Promise<CoreResponse>
  readonly seeOther: (location: string) => Promise<CoreResponse>
  readonly unauthorised: (signInUrl: string | undefined) => Promise<CoreResponse>
}

/** Pages with the header fields that keep everything but the desk's own script and style out of them. */
export function deskResponses(desk: DeskSettings): DeskResponses {
  let fields: Promise<Headers> | undefined

  async function show({
    status = 200,
    headers = {},
    ...parts
  }: Parameters<DeskResponses['show']>[0]): Promise<CoreResponse> {
    fields ??= pageFields(desk)
    return { status, headers: { ...(await fields), ...headers }, body: page({ desk, ...parts }) }
  }

  function refuse(
    status: number,
    title: string,
    text: string | Markup,
    headers: Headers = {},
  ): Promise<CoreResponse> {
    return show({ status, headers, title, body: markup`<h1>${title}</h1><p>${text}</p>` })
  }

  return {
    show,
    refuse,
    async seeOther(location) {
      fields ??= pageFields(desk)
      return { status: 303, headers: { ...(await fields), location }, body: '' }
    },
    unauthorised(signInUrl) {
      const text =
        signInUrl === undefined ? 'Sign in first.' : markup`<a href="${signInUrl}">Sign in</a> first.`
      const headers: Headers = desk.challenge === undefined ? {} : { 'www-authenticate': desk.challenge }
      return refuse(401, 'Who are you?', text, headers)
    },
  }
}

async function pageFields({ publicUrl, stylesheetUrl }: DeskSettings): Promise<Headers> {
  const [script, style] = await Promise.all([hashOf(SCRIPT), hashOf(STYLE)])
  const sheets = stylesheetUrl === undefined ? '' : ` ${new URL(stylesheetUrl, publicUrl).origin}`
  const policy = [
    "default-src 'none'",
    `script-src '${script}'`,
    `style-src '${style}'${sheets}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // The origin is what forms are known by.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}
