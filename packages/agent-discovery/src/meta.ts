export { sniffCharset } from './http/sniff-charset.js'
export { HtmlScanner, type HtmlScannerOptions } from './meta/html-scanner.js'
export type { AgentNotice, HtmlLink, HtmlMeta, ScannedHtml, WebMcpForm } from './meta/scanned-html.js'
export { scanHtml } from './meta/scan-html.js'
