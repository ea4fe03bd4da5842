/** What is said of this site wherever it says who it is. */
export const SITE = {
  name: 'Doorplate',
  description:
    'The documentation of Doorplate: its specification, the READMEs of its packages and its guides; with a small shop to try things on.',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
} as const
