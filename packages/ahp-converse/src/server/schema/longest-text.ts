/** The length of the longest text in data, names of members included. The data is not nested deeply: that was looked at before. */
export function longestText(data: unknown): number {
  if (typeof data === 'string') return data.length
  if (typeof data !== 'object' || data === null) return 0
  let longest = 0
  for (const [name, value] of Object.entries(data))
    longest = Math.max(longest, Array.isArray(data) ? 0 : name.length, longestText(value))
  return longest
}
