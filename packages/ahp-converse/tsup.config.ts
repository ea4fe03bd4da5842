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
    mcp: 'src/mcp.ts',
    openapi: 'src/openapi.ts',
    tools: 'src/tools.ts',
    redis: 'src/redis.ts',
    bullmq: 'src/bullmq.ts',
    desk: 'src/desk.ts',
    cli: 'src/cli.ts',
    jwt: 'src/jwt.ts',
    'web-bot-auth': 'src/web-bot-auth.ts',
  },
  platform: 'neutral',
  external: [/^node:/, 'better-sqlite3'],
})
