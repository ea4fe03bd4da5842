/** A number with its noun: `1 request`, `2 requests`. The plural is regular unless it is given. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}
