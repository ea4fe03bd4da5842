import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  // Validators are files of their own, which a bundler leaves out of programs that validate nothing.
  entry: ['src/index.ts', 'src/messages.ts', 'src/page.ts', 'src/cli.ts', 'src/generated/*/validators.js'],
  onSuccess: () => {
    cpSync('../../schemas/ahp/v0.1', 'dist/schemas/v0.1', { recursive: true })
    return Promise.resolve()
  },
})
