import { cpSync } from 'node:fs'
import { library } from '../../tsup.base.ts'

export default library({
  entry: [
    'src/bin/agent-discovery.ts',
    'src/dns.ts',
    'src/from-response.ts',
    'src/index.ts',
    'src/link.ts',
    'src/linkset.ts',
    'src/llms-txt.ts',
    'src/meta.ts',
    'src/probe.ts',
    'src/publish.ts',
    'src/readiness.ts',
    'src/robots.ts',
    'src/www-authenticate.ts',
  ],
  onSuccess: () => {
    cpSync('../../schemas/discovery', 'dist/schemas', { recursive: true })
    return Promise.resolve()
  },
})
