/** Text that others wrote, marked so that no text can pretend to end it. */
export interface DataMarker {
  /** Random per call: whoever wrote a text cannot have known it. */
  readonly boundary: string
  /** @param kind ours, such as `source`; @param id ours, such as `s1` */
  wrap(kind: string, id: string, text: string): string
  /** Takes out every mark, so that none reaches a visitor, who might use it in the next turn. */
  strip(text: string): string
}

export function createDataMarker(random: () => Uint8Array): DataMarker {
  const boundary = [...random()].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const strip = (text: string): string => text.replaceAll(boundary, '')
  return {
    boundary,
    wrap: (kind, id, text) => `<<${boundary} ${kind} ${id}>>\n${strip(text)}\n<<${boundary} end ${id}>>`,
    strip,
  }
}
