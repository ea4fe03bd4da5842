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

/** Far above any document, well below what the default stack of a supported runtime holds. */
const MAX_DEPTH = 1000

/** Where the copying stands; `ancestors` and `keys` are as long as the current value is deep. */
interface Walk {
  /** The containers around the current value, outermost first. */
  readonly ancestors: object[]
  /** The key of each ancestor in the one before it; that of the outermost means nothing. */
  readonly keys: Key[]
  hasMaps: boolean
}

type Key = string | number

/** Reads each property exactly once and checks what it read, so that nothing can change between the check and the use. */
export function copyInOrder(value: unknown): { readonly copy: OrderedCopy; readonly hasMaps: boolean } {
  const walk: Walk = { ancestors: [], keys: [], hasMaps: false }
  if ('toJSON' in Array.prototype) refuse('to_json_method', '', walk)
  return { copy: copyOf(value, '', walk), hasMaps: walk.hasMaps }
}

function copyOf(value: unknown, key: Key, walk: Walk): OrderedCopy {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : refuse('non_finite_number', key, walk)
    case 'object':
      if (value === null) return null
      return Array.isArray(value) ? copyArray(value, key, walk) : copyObject(value, key, walk)
    case 'function':
      return refuse(key === 'toJSON' ? 'to_json_method' : 'function_value', key, walk)
    case 'undefined':
      return refuse('undefined_value', key, walk)
    case 'symbol':
      return refuse('symbol_value', key, walk)
    case 'bigint':
      return refuse('bigint_value', key, walk)
  }
}

function copyArray(array: readonly unknown[], key: Key, walk: Walk): OrderedCopy[] {
  enter(array, isPlainArrayPrototype(Object.getPrototypeOf(array)), key, walk)
  const { length } = array
  checkElementKeys(array, length, walk)
  const copy: OrderedCopy[] = []
  for (let i = 0; i < length; i++) {
    if (getterOf.call(array, i) !== undefined) refuse('accessor_property', i, walk)
    copy.push(copyOf(array[i], i, walk))
  }
  leave(walk)
  return copy
}

function copyObject(object: object, key: Key, walk: Walk): OrderedMembers | MemberMap {
  enter(object, isPlainObjectPrototype(Object.getPrototypeOf(object)), key, walk)
  const { sorted, hasIntegerKeys } = keyOrderOf(Object.getOwnPropertyNames(object))
  if (hasIntegerKeys) return copyToMap(object, sorted, walk)
  const copy = new OrderedMembers()
  for (const name of sorted) copy[name] = copyOf(readMember(object, name, walk), name, walk)
  leave(walk)
  return copy
}

function copyToMap(object: object, sorted: readonly string[], walk: Walk): MemberMap {
  walk.hasMaps = true
  const copy: MemberMap = new Map()
  for (const name of sorted) copy.set(name, copyOf(readMember(object, name, walk), name, walk))
  leave(walk)
  return copy
}

/** Checks an array or object apart from its members and makes it the innermost ancestor. */
function enter(container: object, isPlain: boolean, key: Key, walk: Walk): void {
  if (walk.ancestors.includes(container)) refuse('cycle', key, walk)
  if (walk.ancestors.length === MAX_DEPTH) refuse('too_deep', key, walk)
  if (!isPlain) refuse('unsupported_object', key, walk)
  if (Object.getOwnPropertySymbols(container).length > 0) refuse('symbol_key', key, walk)
  walk.ancestors.push(container)
  walk.keys.push(key)
}

function leave(walk: Walk): void {
  walk.ancestors.pop()
  walk.keys.pop()
}

/** Integer keys come first and in order, so the right number of keys with the right last one are the right keys. */
function checkElementKeys(array: readonly unknown[], length: number, walk: Walk): void {
  const names = Object.keys(array)
  if (names.length === length && (length === 0 || names[length - 1] === String(length - 1))) return
  const mismatch = names.findIndex((name, i) => name !== String(i))
  const index = mismatch === -1 ? names.length : mismatch
  if (index >= length) refuse('extra_array_property', names[index] ?? '', walk)
  refuse(Object.hasOwn(array, index) ? 'non_enumerable_property' : 'array_hole', index, walk)
}

/** Finds an accessor on an array element three times as fast as a property descriptor does. */
const { __lookupGetter__: getterOf } = Object.prototype as unknown as {
  __lookupGetter__: (this: object, key: PropertyKey) => unknown
}

function readMember(object: object, key: string, walk: Walk): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key)
  if (descriptor?.get !== undefined || descriptor?.set !== undefined) refuse('accessor_property', key, walk)
  if (descriptor?.enumerable === false) refuse('non_enumerable_property', key, walk)
  return descriptor?.value
}

function refuse(code: CanonicalJsonErrorCode, key: Key, { keys }: Walk): never {
  throw new CanonicalJsonError(code, [...keys, key].slice(1))
}
