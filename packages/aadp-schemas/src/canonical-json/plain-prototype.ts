/** True for the prototype of `{}` in this or another realm, and for none. */
export function isPlainObjectPrototype(prototype: unknown): boolean {
  if (prototype === Object.prototype || prototype === null) return true
  return isRootPrototype(prototype) && Object.hasOwn(prototype, 'isPrototypeOf')
}

/** True for the prototype of `[]` in this or another realm. A subclass has another. */
export function isPlainArrayPrototype(prototype: unknown): boolean {
  if (prototype === Array.prototype) return true
  return Array.isArray(prototype) && isRootPrototype(Object.getPrototypeOf(prototype))
}

function isRootPrototype(prototype: unknown): prototype is object {
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) === null
}
