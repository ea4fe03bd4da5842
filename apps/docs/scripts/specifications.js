/**
 * The specifications: the text of each without `spec/` and `.md`, its page, and how the ids of its rules begin.
 * @type {readonly { readonly name: string, readonly page: string, readonly rules: string }[]}
 */
export const specifications = [
  { name: 'aadp/v1.0', page: 'aadp-1-0', rules: 'AADP1' },
  { name: 'aadp/v0.1', page: 'aadp-0-1', rules: 'AADP01' },
  { name: 'ahp/v0.1', page: 'ahp-0-1', rules: 'AHP01' },
]

/** @param {string} name */
export function specificationText(name) {
  return `spec/${name}.md`
}

/**
 * The table that says what shows each rule of a specification.
 * @param {string} name
 */
export function traceabilityText(name) {
  return `spec/traceability/${name.replace('/', '-')}.md`
}
