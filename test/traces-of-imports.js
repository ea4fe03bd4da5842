/**
 * Imports what its arguments name and prints, as a JSON array, what is different in the process afterwards: globals, members of
 * built-ins, listeners, open handles, variables of the environment.
 */
import process from 'node:process'

const BUILT_INS = [
  Object,
  Function,
  Array,
  String,
  Number,
  Map,
  Set,
  Promise,
  RegExp,
  Date,
  Error,
  Request,
  Response,
]
const OBJECTS = [globalThis, JSON, Math, ...BUILT_INS, ...BUILT_INS.map(({ prototype }) => prototype)]

/** Where undici keeps its agent: it sets this when it is imported, for every copy of it in the process. */
const UNDICI = 'Symbol(undici.globalDispatcher.'

/** What reading the modules themselves leaves behind for a moment. */
const FILE_WORK = /^(?:FSReq|CloseReq)/

// Node makes some globals when they are first read.
for (const key of Reflect.ownKeys(globalThis)) Reflect.get(globalThis, key)

const before = members()
const handlesBefore = handles()
for (const specifier of process.argv.slice(2)) await import(specifier)
const changed = [...members()].filter(
  ([name, value]) => !before.has(name) || !Object.is(before.get(name), value),
)
const added = handles().filter((name) => !handlesBefore.includes(name))
console.log(
  JSON.stringify([...changed.map(([name]) => name), ...added].filter((name) => !name.startsWith(UNDICI))),
)

function members() {
  const entries = OBJECTS.flatMap((object, index) =>
    Reflect.ownKeys(object).map((key) => {
      const descriptor = Object.getOwnPropertyDescriptor(object, key)
      return /** @type {const} */ ([
        index === 0 ? String(key) : `${index}.${String(key)}`,
        descriptor?.value ?? Reflect.get(descriptor ?? {}, 'get'),
      ])
    }),
  )
  return new Map(entries)
}

function handles() {
  return [
    ...process.eventNames().map(String),
    ...process.getActiveResourcesInfo().filter((name) => !FILE_WORK.test(name)),
    ...Object.keys(process.env),
  ]
}
