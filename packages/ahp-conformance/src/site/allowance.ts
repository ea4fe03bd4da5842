import type { ReadManifest } from '@doorplate/ahp-manifest'

/** How often somebody may ask. */
export interface Allowance {
  readonly requests: number
  readonly windowSeconds: number
}

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }

/** What a manifest allows those with or without a credential; the older `rate_limit` is for those without. */
export function declaredAllowance(
  { rate_limits: limits = {}, rate_limit: older }: Pick<ReadManifest, 'rate_limits' | 'rate_limit'>,
  { withCredential }: { readonly withCredential: boolean },
): (Allowance & { readonly text: string }) | undefined {
  const text = withCredential ? limits.authenticated?.requests : (limits.unauthenticated?.requests ?? older)
  const [, count = '', period = ''] = /^(\d{1,9})\/(\w+)$/.exec(text ?? '') ?? []
  if (text === undefined || count === '' || !Object.hasOwn(SECONDS, period)) return undefined
  return { requests: Number(count), windowSeconds: SECONDS[period] ?? 1, text }
}
