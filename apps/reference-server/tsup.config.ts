import { library } from '../../tsup.base.ts'

export default library({ entry: ['src/main.ts'], platform: 'node' })
