import { checkManifestSemantics, hasSemanticErrors, validateDocument } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'

const entity = {
  aadp_version: '1.0',
  id: 'book:dune',
  type: 'book',
  updated_at: '2026-01-05T09:00:00Z',
  data: { title: 'Dune' },
}
const data = { ...entity, checksum: checksumOf(entity.data) }
const { valid, issues } = validateDocument({ version: '1.0', kind: 'entity', data })
console.log(valid, issues.length)

const manifest = { aadp_version: '1.0', policies: { terms: 'ftp://books.example/terms' } }
console.log(hasSemanticErrors(checkManifestSemantics(manifest)))
