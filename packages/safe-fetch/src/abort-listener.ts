/** Who waits for each signal. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `listener` when the signal aborts. However many calls share a signal, it has one event listener from us while
 * any of them lasts, and none after: Node warns of a leak at eleven.
 */
export function addAbortListener(signal: AbortSignal, listener: () => void): void {
  const listeners = waiting.get(signal)
  if (listeners) {
    listeners.add(listener)
    return
  }
  waiting.set(signal, new Set([listener]))
  signal.addEventListener('abort', callListeners)
}

export function removeAbortListener(signal: AbortSignal, listener: () => void): void {
  const listeners = waiting.get(signal)
  listeners?.delete(listener)
  if (listeners?.size === 0) forget(signal)
}

function callListeners(this: AbortSignal): void {
  const listeners = waiting.get(this)
  forget(this)
  for (const listener of listeners ?? []) listener()
}

function forget(signal: AbortSignal): void {
  waiting.delete(signal)
  signal.removeEventListener('abort', callListeners)
}
