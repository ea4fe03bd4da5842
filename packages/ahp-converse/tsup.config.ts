import { library } from '../../tsup.base.ts'

export default library({
  entry: {
    index: 'src/index.ts',
    server: 'src/server.ts',
    node: 'src/node.ts',
    knowledge: 'src/knowledge.ts',
    sqlite: 'src/sqlite.ts',
    ai: 'src/ai.ts',
    client: 'src/client.ts',
    tools: 'src/tools.ts',
    cli: 'src/cli.ts',
  },
  platform: 'neutral',
  external: [/^node:/, 'better-sqlite3'],
})
