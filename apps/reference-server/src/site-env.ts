import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What the pages know of a request besides what it says. */
export interface SiteEnv {
  Bindings: HttpBindings
}

/** The address that a request is from. */
export function addressOf({ env }: Context<SiteEnv>): string {
  return env.incoming.socket.remoteAddress ?? ''
}
