export { EXPORT_LIST, ExportError, exportSite } from './export-site.js'
export type { ExportedFile, ExportErrorCode, ExportOptions } from './export-site.js'
