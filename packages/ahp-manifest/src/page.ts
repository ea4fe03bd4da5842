export { changeStream, type BodyChange } from './page/body-change.js'
export { BODY_FIELDS, describeChangedBody, isPlainBody, weakenKnownTag } from './page/body-fields.js'
export { PageInserter, type PageAdditions } from './page/page-inserter.js'
