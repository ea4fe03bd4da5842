import { ownMember } from '../own-member.js'

const MAX_DEPTH = 64

/** References of a document to places in itself that are not there. */
export function danglingReferences(
  document: unknown,
): readonly { readonly pointer: string; readonly message: string }[] {
  const problems: { readonly pointer: string; readonly message: string }[] = []
  const visit = (value: unknown, pointer: string, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    const reference = ownMember(value, '$ref')
    if (typeof reference === 'string' && reference.startsWith('#/') && at(document, reference) === undefined)
      problems.push({ pointer: `${pointer}/$ref`, message: `There is nothing at ${reference}.` })
    for (const [name, member] of Object.entries(value)) visit(member, `${pointer}/${name}`, depth + 1)
  }
  visit(document, '', 0)
  return problems
}

function at(document: unknown, reference: string): unknown {
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decode(name).replaceAll('~1', '/').replaceAll('~0', '~'))
  return ownMember(document, ...names)
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
