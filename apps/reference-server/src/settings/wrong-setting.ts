import { StartError } from '../start-error.js'

/** An option or setting that cannot be meant, whatever the machine is like: the program was called wrongly. */
export class WrongSetting extends StartError {
  override readonly exitCode = 2
}
