import { validateDocument } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'

const data = { title: 'Dune', year: 1965 }
const entity = {
  aadp_version: '1.0',
  id: 'book:dune',
  type: 'book',
  checksum: checksumOf(data),
  updated_at: '2026-02-20T17:30:00Z',
  data,
}

entity.data.title = 'Dune Messiah'
const { valid } = validateDocument({ version: '1.0', kind: 'entity', data: entity })
console.log('valid:', valid)
console.log('as its checksum says:', checksumOf(entity.data) === entity.checksum)
