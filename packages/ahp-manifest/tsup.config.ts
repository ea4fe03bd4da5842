import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts', 'src/messages.ts', 'src/page.ts', 'src/cli.ts'],
  onSuccess: () => {
    cpSync('../../schemas/ahp/v0.1', 'dist/schemas/v0.1', { recursive: true })
    return Promise.resolve()
  },
})
