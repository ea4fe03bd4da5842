export { createAgentVerifier } from './auth/agent-verifier.js'
export type { AgentVerifierOptions } from './auth/agent-verifier.js'
