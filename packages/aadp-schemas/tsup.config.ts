import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  // The validators are a file of their own, which a bundler leaves out of programs that validate nothing.
  entry: [
    'src/index.ts',
    'src/canonical-json.ts',
    'src/sha256-node.ts',
    'src/sha256-noble.ts',
    'src/generated/validators.js',
  ],
  onSuccess: () => {
    cpSync('../../schemas/aadp', 'dist/schemas', { recursive: true })
    return Promise.resolve()
  },
})
