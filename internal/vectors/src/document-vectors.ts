import { applyPatch, type PatchOperation } from './apply-patch.js'
import { loadVectors } from './load-vectors.js'

/** An entry of `spec/vectors/<protocol>/<version>/<kind>.json` as written: a whole document, or a change of an earlier one. */
export type DocumentVectorEntry = Verdict & { readonly name: string } & (
    { readonly data: unknown } | { readonly base: string; readonly patch: readonly PatchOperation[] }
  )

/** A vector with its document built. */
export type DocumentVector = Verdict & { readonly name: string; readonly data: unknown }

type Verdict =
  | { readonly valid: true }
  | {
      readonly valid: false
      /** Id of the one broken rule. */
      readonly rule: string
      /** JSON Pointer to the offending value, or to the member that is missing or not allowed. */
      readonly pointer: string
    }

/** The valid and invalid documents of one kind, e.g. `loadDocumentVectors('1.0', 'sitemap-index')`. */
export function loadDocumentVectors(
  version: string,
  kind: string,
  protocol: 'aadp' | 'ahp' = 'aadp',
): DocumentVector[] {
  const entries = loadVectors<DocumentVectorEntry[]>(`${protocol}/v${version}/${kind}.json`)
  const built = new Map<string, DocumentVector>()
  for (const entry of entries) built.set(entry.name, build(entry, built))
  return [...built.values()]
}

function build(entry: DocumentVectorEntry, built: ReadonlyMap<string, DocumentVector>): DocumentVector {
  if ('data' in entry) return entry
  const base = built.get(entry.base)
  if (base === undefined) throw new Error(`vector ${entry.name}: no earlier vector ${entry.base}`)
  const { patch, ...rest } = entry
  return { ...rest, data: applyPatch(base.data, patch) }
}
