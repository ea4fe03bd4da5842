/** A JSON object as a site wrote it. Read it through the functions below: its members can have any name. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own member; undefined where there is none, whatever the prototype has. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

export function stringMember(object: JsonObject, name: string): string | undefined {
  const value = member(object, name)
  return typeof value === 'string' ? value : undefined
}

export function arrayMember(object: JsonObject, name: string): readonly unknown[] | undefined {
  const value = member(object, name)
  return Array.isArray(value) ? (value as unknown[]) : undefined
}

export function objectMember(object: JsonObject, name: string): JsonObject | undefined {
  const value = member(object, name)
  return isObject(value) ? value : undefined
}
