import { HtmlScanner, type HtmlScannerOptions, type ScannedHtml } from './html-scanner.js'

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
