/** Counts the sitemap pages of a run. */
export class PageBudget {
  readonly maxPages: number
  #left: number

  constructor(maxPages: number) {
    this.maxPages = maxPages
    this.#left = maxPages
  }

  /** True while another page may be read, which is then counted. */
  take(): boolean {
    return this.#left-- > 0
  }
}
