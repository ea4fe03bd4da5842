const PARTS: readonly (readonly [path: RegExp, part: (name: string) => string])[] = [
  [/^reference\/api\/(?!index)(.)/, () => 'API'],
  [/^reference\/cli\/(?!index)(.)/, () => 'Commands'],
  [/^reference\/spec\/traceability\/(.)/, () => 'Traceability'],
  [/^reference\/packages\/([\w-]+)\//, (name) => name],
]

/** Names what a page belongs to in its title, where its own name may be that of another: a package and its command are called alike. */
export function titleTemplate(path: string): string | undefined {
  for (const [prefix, part] of PARTS) {
    const [, name] = prefix.exec(path) ?? []
    if (name !== undefined) return `:title | ${part(name)} | Doorplate`
  }
  return undefined
}
