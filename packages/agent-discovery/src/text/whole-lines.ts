/** Text that was cut off, up to its last line break: a line that was cut says something else than the whole. */
export function wholeLines(cut: string): string {
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf('\r')) + 1)
}
