import { FACE_TWINS } from './twins/face-twins.js'
import { MODE1_TWINS } from './twins/mode1-twins.js'
import { MODE2_TWINS } from './twins/mode2-twins.js'
import { MODE3_TWINS } from './twins/mode3-twins.js'
import { RESPONSE_TWINS } from './twins/response-twins.js'
import { RULE_TWINS } from './twins/rule-twins.js'
import type { Twin } from './twins/twin.js'

/** At least one for every check: each differs from the good site in one thing. */
export const TWINS: readonly Twin[] = [
  ...MODE1_TWINS,
  ...MODE2_TWINS,
  ...MODE3_TWINS,
  ...FACE_TWINS,
  ...RESPONSE_TWINS,
  ...RULE_TWINS,
]
