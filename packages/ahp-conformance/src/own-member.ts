/** What lies at a path of own members; undefined where it ends early. Text of a site names no inherited member. */
export function ownMember(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string | number, unknown>)[name]
        : undefined,
    value,
  )
}

/** The same as a list; empty where there is none. */
export function ownList(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = ownMember(value, ...path)
  return Array.isArray(list) ? list : []
}

/** The same as a text; undefined where there is none. */
export function ownText(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const text = ownMember(value, ...path)
  return typeof text === 'string' ? text : undefined
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
