import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts'],
  onSuccess: () => {
    cpSync('../../schemas/aadp', 'dist/schemas', { recursive: true })
    return Promise.resolve()
  },
})
