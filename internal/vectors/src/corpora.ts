import { join } from 'node:path'
import { describeWithFolder } from './describe-with-folder.js'
import { corporaDir } from './directories.js'

/** A `describe` over one folder of third-party data; skipped, with the reason in its name, where it is missing. */
export function describeWithCorpora(
  name: string,
  subfolder: string,
  define: (directory: string) => void,
): void {
  describeWithFolder(name, join(corporaDir(), subfolder), define)
}
