export { openApiFace } from './openapi/openapi-face.js'
export type { OpenApiFaceOptions } from './openapi/openapi-face.js'
