import process from 'node:process'

/** npm and a terminal both hand one Ctrl+C to the program: signals this close together are one request to stop. */
const SAME_REQUEST_MS = 500

/** The first SIGINT or SIGTERM calls `stop`; a later one ends the process at once. */
export function onStopSignal(stop: () => void, options: { readonly now: () => number }): void {
  let firstAt: number | undefined
  const receive = (): void => {
    if (firstAt === undefined) {
      firstAt = options.now()
      stop()
    } else if (options.now() - firstAt >= SAME_REQUEST_MS) {
      process.exit(1)
    }
  }
  process.on('SIGINT', receive)
  process.on('SIGTERM', receive)
}
