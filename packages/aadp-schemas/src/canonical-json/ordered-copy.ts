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

/** Where the copying stands; what lies beyond `depth` in the two lists is left from deeper places. */
interface Walk {
  depth: number
  /** The containers around the current value, outermost first. */
  readonly ancestors: object[]
  /** The key of each ancestor in the one before it; that of the outermost means nothing. */
  readonly keys: Key[]
  hasMaps: boolean
}

type Key = string | number

/** Reads each property exactly once and checks what it read, so that nothing can change between the check and the use. */
export function copyInOrder(value: unknown): { readonly copy: OrderedCopy; readonly hasMaps: boolean } {
  const walk: Walk = { depth: 0, ancestors: [], keys: [], hasMaps: false }
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
  const { sorted, hasIntegerKeys } = keyOrderOf(memberNames(object, walk))
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
  for (let i = 0; i < walk.depth; i++) if (walk.ancestors[i] === container) refuse('cycle', key, walk)
  if (walk.depth === MAX_DEPTH) refuse('too_deep', key, walk)
  if (!isPlain) refuse('unsupported_object', key, walk)
  if (Object.getOwnPropertySymbols(container).length > 0) refuse('symbol_key', key, walk)
  walk.ancestors[walk.depth] = container
  walk.keys[walk.depth] = key
  walk.depth++
}

function leave(walk: Walk): void {
  walk.depth--
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

function memberNames(object: object, walk: Walk): readonly string[] {
  const names = Object.getOwnPropertyNames(object)
  if (Object.keys(object).length === names.length) return names
  const hidden = names.find((name) => !Object.prototype.propertyIsEnumerable.call(object, name))
  return refuse('non_enumerable_property', hidden ?? '', walk)
}

function readMember(object: object, key: string, walk: Walk): unknown {
  if (getterOf.call(object, key) !== undefined) refuse('accessor_property', key, walk)
  const value = (object as Readonly<Record<string, unknown>>)[key]
  if (value === undefined && setterOf.call(object, key) !== undefined) refuse('accessor_property', key, walk)
  return value
}

/** Finds an accessor without making a property descriptor, whose allocation would cost more than all other checks. */
const { __lookupGetter__: getterOf, __lookupSetter__: setterOf } = Object.prototype as unknown as Readonly<
  Record<'__lookupGetter__' | '__lookupSetter__', (this: object, key: PropertyKey) => unknown>
>

function refuse(code: CanonicalJsonErrorCode, key: Key, { keys, depth }: Walk): never {
  throw new CanonicalJsonError(code, [...keys.slice(0, depth), key].slice(1))
}
