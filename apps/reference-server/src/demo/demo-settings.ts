import { defaultSettings } from '../settings/read-settings.js'
import type { Settings } from '../settings/settings.js'

/** A visit is over in seconds, so its limits are none that a site would have. */
const PLENTY = '100000/minute'

/** Of a server that lives for one visit. What is judged by waiting has to be short. */
export function demoSettings(projectRoot: string, given: Partial<Settings>): Settings {
  return {
    ...defaultSettings(projectRoot),
    ...{ readLimit: PLENTY, askLimit: PLENTY, actionLimit: PLENTY, credentialLimit: PLENTY },
    ...{ tokenReadLimit: PLENTY, tokenAskLimit: PLENTY, tokenActionLimit: PLENTY },
    port: 0,
    sessionIdleMs: SESSION_IDLE_MS,
    tokenSessionIdleMs: SESSION_IDLE_MS,
    answerTimeoutMs: ANSWER_TIMEOUT_MS,
    ...given,
  }
}

export const SESSION_IDLE_MS = 3000
const ANSWER_TIMEOUT_MS = 3000
