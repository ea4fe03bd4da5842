import type { Site } from '../client.js'
import { columns, plainLine } from './plain-text.js'

/** A site and what it offers, for people. */
export function describeSite(site: Site): string {
  const { manifest, manifestUrl } = site
  const facts = [
    ['about', manifest.description],
    ['manifest', `${manifestUrl} (found by ${site.foundBy})`],
    ['protocol', `AHP ${manifest.ahp}: ${modesOf(site)}`],
    ['content', manifest.endpoints.content],
    ['questions', manifest.endpoints.converse],
    ['access', manifest.authentication],
    ['limit', limitsOf(site)],
    ['signals', signalsOf(site)],
    ...[...site.integrations].map(([name, { url }]) => [name, url] as const),
  ] as const
  const known = facts.flatMap(([label, value]) => (value === undefined ? [] : [[label, plainLine(value)]]))
  return [
    `${plainLine(site.name ?? new URL(manifestUrl).host)}\n${columns(known)}`,
    section('Capabilities', capabilitiesOf(site)),
    section('To be improved by the site', warningsOf(site)),
  ].join('')
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `\n${title}\n${columns(rows)}`
}

/** A mode that is implied by a higher one, and neither declared nor used, is not one of the site. */
function modesOf({ modes, capabilities, manifest, warnings }: Site): string {
  if (!warnings.some(({ code }) => code === 'modes_not_cumulative')) return modes.join(', ')
  const used = modes.filter((mode) =>
    mode === 'MODE1'
      ? manifest.endpoints.content !== undefined
      : capabilities.some((own) => own.mode === mode),
  )
  return `${used.join(', ')} (the modes below are not declared)`
}

function limitsOf({ manifest: { rate_limits: tiers, rate_limit: short } }: Site): string | undefined {
  const anonymous = tiers?.unauthenticated?.requests ?? short
  const authenticated = tiers?.authenticated?.requests
  const stated = [anonymous, authenticated && `${authenticated} with a credential`]
  return stated.filter((limit) => limit !== undefined).join(', ') || undefined
}

function signalsOf({ contentSignals }: Site): string | undefined {
  const stated = Object.entries(contentSignals).map(([name, value]) => `${name} ${value ? 'yes' : 'no'}`)
  return stated.join(', ') || undefined
}

function capabilitiesOf({ capabilities }: Site): string[][] {
  return capabilities.map(
    ({ name, mode, action_type: type, description, auth_required: needsCredential }) => {
      const isClosed = needsCredential === true || type === 'action' || type === 'async'
      const note = isClosed ? ' (needs a credential)' : ''
      return [name, type === undefined ? mode : `${mode} ${type}`, plainLine(description) + note]
    },
  )
}

const MAX_WARNINGS = 20

function warningsOf({ warnings }: Site): string[][] {
  return warnings
    .slice(0, MAX_WARNINGS)
    .map(({ path, message }) => [plainLine(path === '' ? '(root)' : path, 60), plainLine(message)])
}
