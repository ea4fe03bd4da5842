export { ConverseError, isConverseError } from './converse-error.js'
export type { ConverseErrorCode } from './converse-error.js'
export type { AnswerOutcome, Answerer, ClarificationOutcome, Outcome } from './outcome.js'
export type { PastTurn, Principal, Turn, TurnClarification } from './turn.js'
