import { library } from '../../tsup.base.ts'

// Optional, so not among the dependencies that are external anyway.
export default library({
  entry: ['src/main.ts', 'src/demo.ts', 'src/healthcheck.ts'],
  platform: 'node',
  external: ['better-sqlite3'],
})
