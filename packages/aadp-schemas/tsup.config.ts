import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts', 'src/canonical-json.ts', 'src/sha256-node.ts', 'src/sha256-noble.ts'],
  onSuccess: () => {
    cpSync('../../schemas/aadp', 'dist/schemas', { recursive: true })
    return Promise.resolve()
  },
})
