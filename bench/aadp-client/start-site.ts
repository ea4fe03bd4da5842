import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface RunningSite extends AsyncDisposable {
  readonly origin: string
  readonly host: string
}

/** Starts the static site in a process of its own. */
export async function startSite(entityCount: number, slowEveryTenthMs = 0): Promise<RunningSite> {
  const child = fork(
    new URL('./static-site.ts', import.meta.url),
    [String(entityCount), String(slowEveryTenthMs)],
    {
      execArgv: ['--import', 'tsx'],
    },
  )
  const [origin] = (await once(child, 'message')) as [string]
  return {
    origin,
    host: new URL(origin).host,
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
