import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts', 'src/v0.1.ts', 'src/sqlite.ts', 'src/bullmq.ts', 'src/cli.ts'],
  platform: 'node',
  external: [/^node:/, 'better-sqlite3', 'bullmq'],
})
