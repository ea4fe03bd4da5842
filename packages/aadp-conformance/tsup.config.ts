import { library } from '../../tsup.base.ts'

export default library({
  entry: ['src/index.ts', 'src/bin/aadp-conformance.ts', 'src/bin/aadp-validate.ts'],
  platform: 'node',
})
