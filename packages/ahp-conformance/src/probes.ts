import { checkOptionNames, checkOptionTypes } from '@doorplate/conformance-kit'
import { invalidOption } from './errors.js'

/** A question to one capability. */
export interface Probe {
  readonly capability: string
  /** Default: a question that suits any site. */
  readonly query?: string
  /** Structured input, for a capability of MODE3. It travels as JSON text in place of the query. */
  readonly input?: Readonly<Record<string, unknown>>
}

/**
 * What only somebody who knows the site can say: which capability plays which part. Without them the part is found in
 * the manifest, or the checks about it are skipped. Nothing that acts or starts work is asked unless it is named here.
 */
export interface Probes {
  /** An open question that is answered at once. Default: the first capabilities of MODE2 are tried. */
  readonly question?: Probe
  /** A question so ambiguous that the concierge asks back. */
  readonly ambiguous?: Probe
  /** A question that needs the credential and changes nothing. Default: a capability with `auth_required` that only answers. */
  readonly member?: Probe
  /** An action. It IS performed, with the credential, once for each run. */
  readonly action?: Probe
  /** Work that is answered later. It IS started, with the credential if there is one, several times. */
  readonly job?: Probe
  /** A question for which the credential has too few rights. */
  readonly forbidden?: Probe
  /** A question that makes the concierge fail. */
  readonly failing?: Probe
  /** A question that the concierge cannot answer now. */
  readonly unavailable?: Probe
}

const PROBE_NAMES: Readonly<Record<keyof Probes, true>> = {
  question: true,
  ambiguous: true,
  member: true,
  action: true,
  job: true,
  forbidden: true,
  failing: true,
  unavailable: true,
}

/** The names of the probes. */
export const PROBES: readonly (keyof Probes)[] = Object.keys(PROBE_NAMES) as (keyof Probes)[]

/** @throws {ConformanceError | AhpConformanceError} `invalid_option` */
export function checkProbes(probes: Probes): Probes {
  checkOptionNames(probes, PROBES, 'probes')
  for (const [name, probe] of Object.entries(probes) as [string, Probe][]) {
    const option = `probes.${name}`
    checkOptionTypes(probes, { [name]: 'record' }, { owner: 'probes' })
    checkOptionNames(probe, ['capability', 'query', 'input'], option)
    if (typeof (probe.capability as unknown) !== 'string' || probe.capability === '')
      throw invalidOption(`${option}.capability`, 'the name of a capability')
    if (probe.query !== undefined && (typeof (probe.query as unknown) !== 'string' || probe.query === ''))
      throw invalidOption(`${option}.query`, 'a text that is not empty')
    checkOptionTypes(probe, { input: 'record' }, { owner: option })
  }
  return probes
}
