/** The promise, or a rejection with the reason of the signal, whichever is first; the other is left to itself. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    function leave(): void {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an abort has the reason of its signal
      reject(signal.reason)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', leave)
    })
  })
}
