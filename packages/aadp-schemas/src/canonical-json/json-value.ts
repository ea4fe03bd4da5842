/** What JSON text can hold, as `JSON.parse` returns it. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/** An object that JSON text can hold. */
export interface JsonObject {
  [key: string]: JsonValue
}
