/**
 * True when `value` is plain JSON equal to `json`, a value that came out of `JSON.parse`. Anything that is not
 * plain JSON (a Date, a class instance, a hole, NaN) is equal to nothing.
 */
export function isSameJson(value: unknown, json: unknown): boolean {
  if (value === json) return true
  if (typeof value !== 'object' || typeof json !== 'object' || value === null || json === null) return false
  if (Array.isArray(json)) return Array.isArray(value) && areSameItems(value, json)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return areSameMembers(value as Record<string, unknown>, json as Record<string, unknown>)
}

function areSameItems(value: readonly unknown[], json: readonly unknown[]): boolean {
  if (value.length !== json.length) return false
  return json.every((item, index) => isSameJson(value[index], item))
}

function areSameMembers(
  value: Readonly<Record<string, unknown>>,
  json: Readonly<Record<string, unknown>>,
): boolean {
  const keys = Object.keys(value)
  if (keys.length !== Object.keys(json).length) return false
  return keys.every((key) => Object.hasOwn(json, key) && isSameJson(value[key], json[key]))
}
