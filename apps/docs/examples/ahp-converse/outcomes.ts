import type { Outcome } from '@doorplate/ahp-converse'

export const outcomes: readonly Outcome[] = [
  // #region outcomes
  { answer: 'Two reviews mention them.', sources: [{ title: 'Dune', url: '/reviews/dune' }] },
  { answer: 'Two reviews.', payload: { items: [{ title: 'Dune', url: '/reviews/dune' }] } }, // of the agreed type
  { clarification: { question: 'The novel or the film?', options: ['novel', 'film'] } },
  // #endregion outcomes
]
