/** What is said besides quotations, in one language. */
export interface Phrases {
  /** Nothing here is about the question. */
  readonly notFound: string
  /** Stands in front of what there is instead: "There is something about:". */
  readonly topics: string
  /** Two topics tie. */
  readonly whichTopic: string
  /** Stands in front of the questions asked so far: "You asked:". */
  readonly youAsked: string
  /** Stands in front of an earlier answer: "I answered:". */
  readonly iAnswered: string
  readonly nothingAskedYet: string
  /** Matches a question about what the visitor asked before. */
  readonly asksForQuestion?: RegExp
  /** Matches a question about what was answered before. */
  readonly asksForAnswer?: RegExp
  /** Matches what asks for the first of several earlier answers; else the last is meant. */
  readonly meansFirst?: RegExp
  /** Matches a question, or a heading, that says "not": one is no answer to the other. */
  readonly negates?: RegExp
  /** Matches a question that leans on the one before it: "and how long does that take?" */
  readonly refersBack?: RegExp
  /** Words of asking itself, which say nothing about its object: "please tell me". Separated by spaces. */
  readonly askingWords?: string
}
