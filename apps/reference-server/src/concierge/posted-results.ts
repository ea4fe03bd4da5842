import { readFile } from 'node:fs/promises'
import { createCallbackTransport } from '@doorplate/ahp-converse/node'
import type { ConciergeConfig } from '@doorplate/ahp-converse/server'
import type { Settings } from '../settings/settings.js'
import { WrongSetting } from '../settings/wrong-setting.js'
import { StartError } from '../start-error.js'

/** Results posted to visitors that ask for it. */
export interface PostedResults {
  readonly options: NonNullable<ConciergeConfig['callbacks']>
  close(): Promise<void>
}

/** Undefined without a secret to sign them with. Throws `StartError`. */
export async function openPostedResults(settings: Settings): Promise<PostedResults | undefined> {
  const { callbackSecret, callbackPorts, callbackPrivateHosts, callbackCa } = settings
  if (callbackSecret === undefined) return undefined
  const ca = callbackCa === undefined ? undefined : await authorities(callbackCa)
  const transport = checked(() =>
    createCallbackTransport({
      allowedPorts: callbackPorts.map(Number),
      timeoutMs: settings.callbackTimeoutMs,
      dangerouslyAllow: callbackPrivateHosts,
      ...(ca === undefined ? {} : { ca }),
    }),
  )
  return {
    options: {
      transport,
      secrets: () => [callbackSecret],
      maxConcurrent: settings.maxConcurrentCallbacks,
    },
    close: () => transport.close(),
  }
}

/** What hosts and authorities are is known to those who use them. */
function checked<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw new WrongSetting(
      `CALLBACK_PRIVATE_HOSTS or CALLBACK_CA cannot be used: ${(error as Error).message}`,
    )
  }
}

async function authorities(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new StartError(`CALLBACK_CA ${file} cannot be read: ${code}.`)
  }
}
