import { sniffCharset } from '@doorplate/agent-discovery/meta'

export function smoke(): boolean {
  return sniffCharset(new TextEncoder().encode('<!doctype html>'), 'text/html; charset=utf-8') === 'utf-8'
}
