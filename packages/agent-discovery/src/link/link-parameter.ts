/** One parameter as written: the name in lower case, the value unquoted; `''` where there is no `=`. */
export interface LinkParameter {
  readonly name: string
  readonly value: string
}

/** What was odd about a link that could be read all the same. */
export type LinkWarning =
  'unterminated-quote' | 'text-after-parameter' | 'undecodable-title' | 'repeated-parameter'
