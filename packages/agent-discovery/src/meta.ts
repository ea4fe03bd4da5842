export { sniffCharset } from './meta/sniff-charset.js'
export {
  HtmlScanner,
  type AgentNotice,
  type HtmlLink,
  type HtmlMeta,
  type HtmlScannerOptions,
  type ScannedHtml,
  type WebMcpForm,
} from './meta/html-scanner.js'
export { scanHtml } from './meta/scan-html.js'
