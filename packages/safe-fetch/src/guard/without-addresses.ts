/**
 * A transport error without the addresses it names: those of this machine are nobody's business, and the far one is in
 * the attempt event. Kind, code and system call stay, for each address that was tried.
 */
export function withoutAddresses(error: unknown): unknown {
  if (error instanceof AggregateError) {
    return describedAs(new AggregateError(error.errors.map(withoutAddresses), 'No address answered.'), error)
  }
  if (!(error instanceof Error) || !namesAddresses(error)) return error
  return describedAs(new Error(plainMessage(error)), error)
}

interface TransportError extends Error {
  readonly code?: unknown
  readonly syscall?: unknown
}

function namesAddresses(error: TransportError): boolean {
  return 'address' in error || 'socket' in error || error.code === 'UND_ERR_CONNECT_TIMEOUT'
}

function plainMessage({ code, message, syscall }: TransportError): string {
  if (typeof syscall === 'string') return `${syscall} ${String(code)}`
  return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'Connect Timeout Error' : message
}

function describedAs(error: Error, { code, name, syscall }: TransportError): Error {
  Object.defineProperty(error, 'name', { value: name })
  return Object.assign(error, code === undefined ? {} : { code }, syscall === undefined ? {} : { syscall })
}
