/** How a product is numbered: `AHP-IMPL-001`. */
export const SKU = { type: 'string', pattern: '^[A-Z0-9]+(-[A-Z0-9]+)*$', maxLength: 40 } as const
