import { createAgentVerifier } from '@doorplate/ahp-converse/web-bot-auth'

export function smoke(): boolean {
  return typeof createAgentVerifier({ agents: ['https://agent.test'] }) === 'function'
}
