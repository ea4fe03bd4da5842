/** Who waits for each signal. Not a set: with so much coming and going its outgrown tables would pile up in memory. */
const waiting = new WeakMap<AbortSignal, (() => void)[]>()

/**
 * Calls `listener` when the signal aborts. However many calls share a signal, it has one event listener from us while
 * any of them lasts, and none after: Node warns of a leak at eleven.
 */
export function addAbortListener(signal: AbortSignal, listener: () => void): void {
  const listeners = waiting.get(signal)
  if (listeners) {
    listeners.push(listener)
    return
  }
  waiting.set(signal, [listener])
  signal.addEventListener('abort', callListeners)
}

export function removeAbortListener(signal: AbortSignal, listener: () => void): void {
  const listeners = waiting.get(signal)
  const place = listeners?.indexOf(listener) ?? -1
  if (!listeners || place < 0) return
  const last = listeners.pop()
  if (last && place < listeners.length) listeners[place] = last
  if (listeners.length === 0) forget(signal)
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
