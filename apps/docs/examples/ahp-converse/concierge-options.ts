import type { ConciergeConfig } from '@doorplate/ahp-converse/server'

/** What every concierge declares. */
export const site: ConciergeConfig = {
  name: 'My shop',
  publicUrl: 'https://shop.example',
  contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  capabilities: {
    hours: { description: 'When we are there.', mode: 'MODE2', answer: () => ({ answer: 'From 9 to 5.' }) },
  },
}
