/** A notice while it is read: its text undecoded, its first address as written. */
export interface RawNotice {
  text: string
  href: string | undefined
}

/** More of a notice is not kept. */
const MAX_LENGTH = 2000

/** Collects the notices for agents in a page. One inside another is part of it. */
export class NoticeReader {
  #open: RawNotice | undefined
  #element = ''
  #depth = 0

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Takes note of a start tag; gives the notice that it begins. */
  open(element: string, attributes: ReadonlyMap<string, string>): RawNotice | undefined {
    if (this.#open) {
      if (element === 'a') this.#open.href ??= attributes.get('href')
      if (element === this.#element) this.#depth++
      return undefined
    }
    if (!isNotice(element, attributes)) return undefined
    this.#open = { text: '', href: undefined }
    this.#element = element
    this.#depth = 1
    return this.#open
  }

  close(element: string): void {
    if (this.#element === element && --this.#depth === 0) this.#open = undefined
  }

  text(piece: string): void {
    if (this.#open && this.#open.text.length < MAX_LENGTH) this.#open.text += piece.slice(0, MAX_LENGTH)
  }
}

function isNotice(element: string, attributes: ReadonlyMap<string, string>): boolean {
  const classes = attributes.get('class')?.split(/[ \t\n\f\r]+/) ?? []
  return (
    (element === 'section' && classes.includes('ahp-notice')) ||
    attributes.get('aria-label')?.trim().toLowerCase() === 'ai agent notice'
  )
}
