export { programOf } from './program-of.js'
