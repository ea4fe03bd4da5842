import type { Validator } from '@seriousme/openapi-schema-validator'
import { isObject, ownMember } from '../own-member.js'
import { danglingReferences } from './dangling-references.js'

export interface OpenapiProblem {
  readonly pointer: string
  readonly message: string
}

/**
 * What is wrong with a description of OpenAPI 3.1: by the schema that the OpenAPI Initiative publishes, and what no schema
 * says, which are ids of operations that are there twice and references that lead nowhere. The schemas in it are not judged.
 */
export async function openapiProblems(document: object): Promise<readonly OpenapiProblem[]> {
  const version = ownMember(document, 'openapi')
  if (typeof version !== 'string' || !/^3\.1\.\d+(-.+)?$/.test(version))
    return [{ pointer: '/openapi', message: `The version is ${String(version)}, expected 3.1.x.` }]
  return [...(await schemaProblems(document)), ...repeatedIds(document), ...danglingReferences(document)]
}

let validator: Promise<Validator> | undefined

/** Loaded when it is first needed: compiling the schema takes longer than many a run. */
async function loadValidator(): Promise<Validator> {
  const { Validator } = await import('@seriousme/openapi-schema-validator')
  return new Validator()
}

async function schemaProblems(document: object): Promise<readonly OpenapiProblem[]> {
  const { errors } = await (
    await (validator ??= loadValidator())
  ).validate(document as Record<string, unknown>)
  // A text is about a reference, and those to other documents are fine.
  if (errors === undefined || typeof errors === 'string') return []
  const problems = errors.map(({ instancePath, keyword, message = '', params }) => ({
    pointer: [instancePath, ...strayName(params)].join('/'),
    message: `It ${message}.`,
    isSummary: SUMMARIES.has(keyword),
  }))
  const precise = problems.filter(({ isSummary }) => !isSummary)
  return precise.length > 0 ? precise : problems
}

/** Keywords that say only that something else in the schema failed. */
const SUMMARIES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'if', 'not'])

/** The member that must not be there, for the pointer. */
function strayName(params: object): readonly string[] {
  const name = ownMember(params, 'unevaluatedProperty') ?? ownMember(params, 'additionalProperty')
  return typeof name === 'string' ? [name.replaceAll('~', '~0').replaceAll('/', '~1')] : []
}

function repeatedIds(document: unknown): readonly OpenapiProblem[] {
  const paths = ownMember(document, 'paths')
  const seen = new Set<unknown>()
  return Object.entries(isObject(paths) ? paths : {}).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]): readonly OpenapiProblem[] => {
      const id = ownMember(operation, 'operationId')
      if (id === undefined) return []
      if (!seen.has(id)) {
        seen.add(id)
        return []
      }
      const pointer = `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/operationId`
      return [{ pointer, message: 'Another operation has this id.' }]
    }),
  )
}
