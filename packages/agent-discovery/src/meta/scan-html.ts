import { HtmlScanner, type HtmlScannerOptions } from './html-scanner.js'
import type { ScannedHtml } from './scanned-html.js'

/**
 * Reads a whole page. For one that arrives in pieces use `HtmlScanner`.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function scanHtml(html: string, options: HtmlScannerOptions): ScannedHtml {
  const scanner = new HtmlScanner(options)
  scanner.write(html)
  return scanner.end()
}
