import type { TicketEvent, TicketListener } from './ticket.js'

export interface TicketEvents {
  readonly emit: (event: TicketEvent) => void
  /** Gives what ends it. */
  readonly subscribe: (listener: TicketListener) => () => void
}

/** What listeners throw or reject with goes to `onError`. */
export function createTicketEvents({
  onError,
}: {
  readonly onError: (error: unknown) => void
}): TicketEvents {
  const listeners = new Set<{ readonly call: TicketListener }>()
  return {
    emit(event) {
      for (const { call } of [...listeners]) {
        try {
          const given = call(event)
          if (given instanceof Promise) given.catch(onError)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(listener) {
      const entry = { call: listener }
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
      }
    },
  }
}
