import { library } from '../../tsup.base.ts'

export default library({
  entry: { index: 'src/index.ts', server: 'src/server.ts', node: 'src/node.ts' },
  platform: 'neutral',
})
