import { isObject, ownMember } from '../own-member.js'

export interface OpenapiProblem {
  readonly pointer: string
  readonly message: string
}

const METHODS: ReadonlySet<string> = new Set([
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
])
const PARTS = ['paths', 'components', 'webhooks']

/**
 * What breaks the structure of OpenAPI 3.1 (sections "OpenAPI Object" to "Responses Object"): version, info, paths,
 * operations, their responses and ids, and references within the document. Schemas are not judged.
 */
export function openapiProblems(document: unknown): readonly OpenapiProblem[] {
  const version = ownMember(document, 'openapi')
  const problems: OpenapiProblem[] = []
  const say = (pointer: string, message: string): unknown => problems.push({ pointer, message })
  if (typeof version !== 'string' || !/^3\.1\.\d+$/.test(version))
    say('/openapi', `The version is ${String(version)}, expected 3.1.x.`)
  for (const name of ['title', 'version'])
    if (typeof ownMember(document, 'info', name) !== 'string')
      say(`/info/${name}`, `info.${name} is no text.`)
  if (!PARTS.some((name) => isObject(ownMember(document, name))))
    say('', `It has none of ${PARTS.join(', ')}.`)
  problems.push(...pathProblems(ownMember(document, 'paths')), ...referenceProblems(document))
  return problems
}

function pathProblems(paths: unknown): readonly OpenapiProblem[] {
  if (paths === undefined) return []
  if (!isObject(paths)) return [{ pointer: '/paths', message: 'paths is no object.' }]
  const seen = new Set<unknown>()
  return Object.entries(paths).flatMap(([path, item]): readonly OpenapiProblem[] => {
    const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (path.startsWith('x-')) return []
    if (!path.startsWith('/')) return [{ pointer, message: 'A path begins with a slash.' }]
    if (!isObject(item)) return [{ pointer, message: 'A path item is an object.' }]
    return Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .flatMap(([method, operation]) => operationProblems(operation, `${pointer}/${method}`, seen))
  })
}

function operationProblems(
  operation: unknown,
  pointer: string,
  seen: Set<unknown>,
): readonly OpenapiProblem[] {
  if (!isObject(operation)) return [{ pointer, message: 'An operation is an object.' }]
  const id = ownMember(operation, 'operationId')
  const isTwice = id !== undefined && seen.has(id)
  seen.add(id)
  const responses = ownMember(operation, 'responses')
  const bad = isObject(responses)
    ? Object.entries(responses).filter(
        ([status, response]) => !/^([1-5](\d\d|XX)|default|x-.*)$/.test(status) || !isResponse(response),
      )
    : []
  return [
    ...(isTwice ? [{ pointer: `${pointer}/operationId`, message: 'Another operation has this id.' }] : []),
    ...(responses !== undefined && !isObject(responses)
      ? [{ pointer: `${pointer}/responses`, message: 'responses is no object.' }]
      : []),
    ...bad.map(([status]) => ({
      pointer: `${pointer}/responses/${status}`,
      message: 'A response is named by a status, and has a description or a reference.',
    })),
  ]
}

function isResponse(response: unknown): boolean {
  return (
    typeof ownMember(response, 'description') === 'string' || typeof ownMember(response, '$ref') === 'string'
  )
}

const MAX_DEPTH = 64

/** References to places that are not there. */
function referenceProblems(document: unknown): readonly OpenapiProblem[] {
  const problems: OpenapiProblem[] = []
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
