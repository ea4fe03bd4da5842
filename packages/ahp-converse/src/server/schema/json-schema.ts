/** JSON Schema of draft-07, 2019-09 or 2020-12 (default), as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>
