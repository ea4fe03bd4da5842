import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts', 'src/cli.ts'],
  platform: 'node',
  onSuccess: () => {
    cpSync('../../schemas/conformance', 'dist/schemas', { recursive: true })
    return Promise.resolve()
  },
})
