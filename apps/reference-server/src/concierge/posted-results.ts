import { readFile } from 'node:fs/promises'
import { createCallbackTransport } from '@doorplate/ahp-converse/node'
import type { ConciergeConfig } from '@doorplate/ahp-converse/server'
import type { Settings } from '../settings/settings.js'
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
  const transport = createCallbackTransport({
    allowedPorts: callbackPorts.map(Number),
    timeoutMs: settings.callbackTimeoutMs,
    ...(callbackPrivateHosts.length === 0 ? {} : { dangerouslyAllow: callbackPrivateHosts }),
    ...(callbackCa === undefined ? {} : { ca: await authorities(callbackCa) }),
  })
  return {
    options: {
      transport,
      secrets: () => [callbackSecret],
      maxConcurrent: settings.maxConcurrentCallbacks,
    },
    close: () => transport.close(),
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
