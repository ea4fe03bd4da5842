import { invalidOption } from '../converse-error.js'
import { checkBoolean, checkOneOf, checkWhole, MAX_TIMEOUT_MS } from './check-option.js'
import type { CapabilityConfig } from './concierge-config.js'
import type { JobTerms } from './jobs/job-terms.js'
import { createDataSchema } from './schema/data-schema.js'
import type { ServedCapability } from './served-capability.js'

/** The members of a capability by which it acts, or is answered later. */
export const ACTION_OPTIONS: readonly (keyof CapabilityConfig)[] = [
  'actionType',
  'inputSchema',
  'outputSchema',
  'requireIntent',
  'acceptAfterMs',
  'etaSeconds',
  'expireAfterMs',
  'restartable',
]

type ActionSurface = Pick<
  ServedCapability,
  'actionType' | 'inputSchema' | 'outputSchema' | 'requireIntent' | 'tier' | 'job'
>

/** Visitors of actions wait so long by default: most have their answer by then. */
const ACTION_WAIT_MS = 10_000
const DEFAULT_ETA_SECONDS = 60

/** @throws {ConverseError} `invalid_option` */
export function checkAction(at: string, own: CapabilityConfig): ActionSurface {
  const { mode, actionType, inputSchema, outputSchema } = own
  if (mode === 'MODE3') {
    checkOneOf(`${at}.actionType`, actionType, ['query', 'action', 'async'])
    for (const name of ['inputSchema', 'outputSchema'] as const)
      if (own[name] === undefined) throw invalidOption(`${at}.${name}`, 'is needed in MODE3')
  } else if (actionType !== undefined) throw invalidOption(`${at}.actionType`, 'is for MODE3')
  const job = checkJob(at, own)
  return {
    ...(actionType === undefined ? {} : { actionType }),
    ...(inputSchema === undefined
      ? {}
      : { inputSchema: createDataSchema(`${at}.inputSchema`, inputSchema, 'input') }),
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: createDataSchema(`${at}.outputSchema`, outputSchema, 'output') }),
    requireIntent: checkBoolean(`${at}.requireIntent`, own.requireIntent ?? false),
    tier: actionType === 'action' || actionType === 'async' ? 'action' : 'ask',
    ...(job === undefined ? {} : { job }),
  }
}

function checkJob(at: string, own: CapabilityConfig): JobTerms | undefined {
  const { actionType, acceptAfterMs, expireAfterMs, etaSeconds, restartable } = own
  const isJob = actionType === 'action' || actionType === 'async' || acceptAfterMs !== undefined
  if (!isJob) {
    for (const name of ['expireAfterMs', 'etaSeconds', 'restartable'] as const)
      if (own[name] !== undefined)
        throw invalidOption(`${at}.${name}`, 'is for actions, async and what has acceptAfterMs')
    return undefined
  }
  const wait = acceptAfterMs ?? (actionType === 'async' ? 0 : ACTION_WAIT_MS)
  return {
    acceptAfterMs: checkWhole(`${at}.acceptAfterMs`, wait, 0, MAX_TIMEOUT_MS),
    etaSeconds: checkWhole(`${at}.etaSeconds`, etaSeconds ?? DEFAULT_ETA_SECONDS, 0),
    expireAfterMs:
      expireAfterMs === undefined ? undefined : checkWhole(`${at}.expireAfterMs`, expireAfterMs, 1),
    restartable: checkBoolean(
      `${at}.restartable`,
      restartable ?? (actionType !== 'action' && actionType !== 'async'),
    ),
  }
}
