import { parseWwwAuthenticate } from '@doorplate/agent-discovery/www-authenticate'

export function smoke(): boolean {
  return parseWwwAuthenticate('Bearer realm="shelf"').length === 1
}
