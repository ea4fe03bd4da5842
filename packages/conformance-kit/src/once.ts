/** Makes a function that does its work at the first call and gives every caller the same result. */
export function once<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let result: Promise<Value> | undefined
  return () => (result ??= work())
}
