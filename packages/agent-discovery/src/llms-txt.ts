export { formatLlmsTxt, type LlmsTxtToFormat } from './llms-txt/format-llms-txt.js'
export { isErrorPage } from './llms-txt/error-page.js'
export {
  parseLlmsTxt,
  type LlmsTxt,
  type LlmsTxtLink,
  type LlmsTxtSection,
  type ParseLlmsTxtOptions,
} from './llms-txt/parse-llms-txt.js'
export { coveringLlmsTxt } from './llms-txt/covering-llms-txt.js'
