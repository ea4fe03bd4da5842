import { exitCodeFor, isConformanceError, parseReport, visibleText } from '@doorplate/conformance-kit'

export function smoke(): boolean {
  try {
    parseReport('{}')
    return false
  } catch (error) {
    return (
      isConformanceError(error) && visibleText('\u202e') !== '\u202e' && typeof exitCodeFor === 'function'
    )
  }
}
