export { createJwtVerifier } from './auth/jwt-verifier.js'
export type { JwtVerifierOptions } from './auth/jwt-verifier.js'
