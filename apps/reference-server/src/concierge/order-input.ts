const ORDER_IN_TEXT = /\bORD-\d{4}-\d{3}\b/i

export const ORDER_INPUT = {
  type: 'object',
  properties: { order: { type: 'string', maxLength: 40 } },
  additionalProperties: false,
} as const

export function orderIn(text: unknown): string | undefined {
  return typeof text === 'string' ? ORDER_IN_TEXT.exec(text)?.[0].toUpperCase() : undefined
}
