import { answerWith } from '@doorplate/ahp-converse/ai'

export function smoke(): boolean {
  return typeof answerWith === 'function'
}
