import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts', 'src/node.ts'],
  noExternal: [/\.schema\.json$/],
})
