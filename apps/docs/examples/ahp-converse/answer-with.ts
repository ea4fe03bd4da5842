// #region answer
import { answerWith } from '@doorplate/ahp-converse/ai'
// #endregion answer
import type { Knowledge } from '@doorplate/ahp-converse/knowledge'
import type { CapabilityConfig } from '@doorplate/ahp-converse/server'
import type { LanguageModel } from 'ai'

export function answererOf(model: LanguageModel, knowledge: Knowledge): CapabilityConfig['answer'] {
  // #region answer
  const answer = answerWith(model, { knowledge, instructions: 'You speak for a small shop. Be brief.' })
  // #endregion answer
  return answer
}
