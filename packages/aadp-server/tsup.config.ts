import { library } from '../../tsup.base.ts'

export default library({
  entry: { index: 'src/index.ts', node: 'src/node.ts', export: 'src/export.ts', cli: 'src/cli/main.ts' },
  noExternal: [/\.schema\.json$/],
})
