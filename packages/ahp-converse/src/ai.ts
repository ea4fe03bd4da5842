export { answerWith } from './ai/answer-with.js'
export type { AnswerWithOptions, KnowledgeForModel } from './ai/answer-with-options.js'
