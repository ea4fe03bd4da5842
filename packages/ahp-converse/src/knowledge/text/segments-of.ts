/** Text shown to a segmenter at once: its time grows with the square of that. No word and hardly a sentence is longer. */
const WINDOW_LENGTH = 2048

/** What `segmenter.segment(text)` gives, in a time that grows with the text. Only what is longer than a window is cut. */
export function* segmentsOf(text: string, segmenter: Intl.Segmenter): Generator<Intl.SegmentData> {
  for (let start = 0; start < text.length;) {
    const window = text.slice(start, endOfWindow(text, start))
    const segments = [...segmenter.segment(window)]
    // The last one may go on.
    if (start + window.length < text.length && segments.length > 1) segments.pop()
    for (const data of segments) yield { ...data, index: start + data.index }
    const last = segments.at(-1)
    start += last === undefined ? window.length : last.index + last.segment.length
  }
}

function endOfWindow(text: string, start: number): number {
  const end = start + WINDOW_LENGTH
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}
