/**
 * Shapes of credentials that are recognisable by their text alone. A repetition that something must follow is
 * bounded, so that hostile text costs linear time.
 */
const SECRET_SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ['aws_access_key_id', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['google_api_key', /\bAIza[0-9A-Za-z_-]{35}/],
  ['google_oauth_client_secret', /\bGOCSPX-[0-9A-Za-z_-]{20,}/],
  ['anthropic_api_key', /\bsk-ant-[0-9A-Za-z_-]{16,}/],
  ['openai_style_secret_key', /\bsk-(?:[0-9A-Za-z]{20,}|(?:proj|svcacct|admin|or-v1)-[0-9A-Za-z_-]{20,})/],
  ['stripe_secret_key', /\b[rs]k_(?:live|test)_[0-9A-Za-z]{16,}/],
  ['webhook_signing_secret', /\bwhsec_[0-9A-Za-z+/=]{16,}/],
  ['github_token', /\b(?:gh[pousr]_[0-9A-Za-z]{30,}|github_pat_[0-9A-Za-z_]{30,})/],
  ['gitlab_token', /\bglpat-[0-9A-Za-z_-]{20,}/],
  ['npm_token', /\bnpm_[0-9A-Za-z]{36}/],
  ['slack_token', /\bxox[abeoprs]-[0-9A-Za-z-]{10,}/],
  ['sendgrid_api_key', /\bSG\.[0-9A-Za-z_-]{16,64}\.[0-9A-Za-z_-]{16,}/],
  ['private_key', /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/],
  ['jwt', /\beyJ[0-9A-Za-z_-]{8,512}\.eyJ[0-9A-Za-z_-]{8,2048}\.[0-9A-Za-z_-]{8,}/],
  ['bearer_token', /\bbearer\s{1,8}[0-9A-Za-z._~+/-]{20,}/i],
]

/** Names of the credential shapes found in `text`, most specific first. */
export function secretShapesIn(text: string): string[] {
  return SECRET_SHAPES.filter(([, shape]) => shape.test(text)).map(([name]) => name)
}
