import { CanonicalJsonError, type CanonicalJsonErrorCode } from './canonical-json-error.js'
import { keyOrderOf } from './key-order.js'
import { isPlainArrayPrototype, isPlainObjectPrototype } from './plain-prototype.js'

/** JSON data that nobody else holds, with the members of every object in canonical order. */
export type OrderedCopy = null | boolean | number | string | OrderedCopy[] | OrderedMembers | MemberMap

/** Inherits nothing, so that `__proto__`, `constructor` or a key somebody added to Object.prototype is a key like any other. */
export class OrderedMembers {
  [key: string]: OrderedCopy
  static {
    Object.setPrototypeOf(this.prototype, null)
  }
}

/** Stands for an object with integer keys, which no object can hold in canonical order. */
export type MemberMap = Map<string, OrderedCopy>

/** Far above any document, far below what the smallest stack of a supported runtime holds. */
const MAX_DEPTH = 1000

interface Walk {
  /** The containers around the current value, outermost first. */
  readonly ancestors: object[]
  /** `keys[i]` leads from `ancestors[i]` towards the current value; what lies beyond `ancestors` is stale. */
  readonly keys: (string | number)[]
  hasMaps: boolean
}

/** Reads each property exactly once and checks what it read, so that nothing can change between the check and the use. */
export function copyInOrder(value: unknown): { readonly copy: OrderedCopy; readonly hasMaps: boolean } {
  const walk: Walk = { ancestors: [], keys: [], hasMaps: false }
  if ('toJSON' in Array.prototype) refuse('to_json_method', walk)
  return { copy: copyOf(value, walk), hasMaps: walk.hasMaps }
}

function copyOf(value: unknown, walk: Walk): OrderedCopy {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : refuse('non_finite_number', walk)
    case 'object':
      if (value === null) return null
      return Array.isArray(value) ? copyArray(value, walk) : copyObject(value, walk)
    case 'function':
      return refuse(isAtKey('toJSON', walk) ? 'to_json_method' : 'function_value', walk)
    case 'undefined':
      return refuse('undefined_value', walk)
    case 'symbol':
      return refuse('symbol_value', walk)
    case 'bigint':
      return refuse('bigint_value', walk)
  }
}

function copyArray(array: readonly unknown[], walk: Walk): OrderedCopy[] {
  const depth = enter(array, isPlainArrayPrototype(Object.getPrototypeOf(array)), walk)
  const { length } = array
  checkElementKeys(array, length, walk)
  const copy: OrderedCopy[] = []
  for (let i = 0; i < length; i++) {
    walk.keys[depth] = i
    if (getterOf.call(array, i) !== undefined) refuse('accessor_property', walk)
    copy.push(copyOf(array[i], walk))
  }
  walk.ancestors.pop()
  return copy
}

function copyObject(object: object, walk: Walk): OrderedMembers | MemberMap {
  const depth = enter(object, isPlainObjectPrototype(Object.getPrototypeOf(object)), walk)
  const { sorted, hasIntegerKeys } = keyOrderOf(Object.getOwnPropertyNames(object))
  if (hasIntegerKeys) return copyToMap(object, sorted, depth, walk)
  const copy = new OrderedMembers()
  for (const key of sorted) {
    walk.keys[depth] = key
    copy[key] = copyOf(readMember(object, key, walk), walk)
  }
  walk.ancestors.pop()
  return copy
}

function copyToMap(object: object, sorted: readonly string[], depth: number, walk: Walk): MemberMap {
  const copy: MemberMap = new Map()
  for (const key of sorted) {
    walk.keys[depth] = key
    copy.set(key, copyOf(readMember(object, key, walk), walk))
  }
  walk.ancestors.pop()
  walk.hasMaps = true
  return copy
}

/** Checks an array or object apart from its members, makes it the innermost ancestor and returns its depth. */
function enter(container: object, isPlain: boolean, walk: Walk): number {
  const { ancestors } = walk
  if (ancestors.includes(container)) refuse('cycle', walk)
  if (ancestors.length === MAX_DEPTH) refuse('too_deep', walk)
  if (!isPlain) refuse('unsupported_object', walk)
  if (Object.getOwnPropertySymbols(container).length > 0) refuse('symbol_key', walk)
  return ancestors.push(container) - 1
}

/** Integer keys come first and in order, so the right number of keys with the right last one are the right keys. */
function checkElementKeys(array: readonly unknown[], length: number, walk: Walk): void {
  const names = Object.keys(array)
  if (names.length === length && (length === 0 || names[length - 1] === String(length - 1))) return
  const mismatch = names.findIndex((name, i) => name !== String(i))
  const index = mismatch === -1 ? names.length : mismatch
  if (index < length) {
    walk.keys[walk.ancestors.length - 1] = index
    refuse(Object.hasOwn(array, index) ? 'non_enumerable_property' : 'array_hole', walk)
  }
  walk.keys[walk.ancestors.length - 1] = names[index] ?? ''
  refuse('extra_array_property', walk)
}

/** Finds an accessor on an array element three times as fast as a property descriptor does. */
const { __lookupGetter__: getterOf } = Object.prototype as unknown as {
  __lookupGetter__: (this: object, key: PropertyKey) => unknown
}

function readMember(object: object, key: string, walk: Walk): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  if (descriptor?.get !== undefined || descriptor?.set !== undefined) refuse('accessor_property', walk)
  if (descriptor?.enumerable === false) refuse('non_enumerable_property', walk)
  return descriptor?.value
}

function isAtKey(key: string, { keys, ancestors }: Walk): boolean {
  return ancestors.length > 0 && keys[ancestors.length - 1] === key
}

function refuse(code: CanonicalJsonErrorCode, { keys, ancestors }: Walk): never {
  throw new CanonicalJsonError(code, keys.slice(0, ancestors.length))
}
