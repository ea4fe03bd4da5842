/**
 * The llms.txt that covers a page: of those on its origin the one whose folder is the nearest around it (llms.txt v2).
 * Undefined if none does.
 */
export function coveringLlmsTxt(page: string | URL, files: readonly string[]): string | undefined {
  const { origin, pathname } = new URL(page)
  const covering = files.filter((file) => {
    const url = new URL(file)
    return url.origin === origin && pathname.startsWith(folderOf(url))
  })
  return covering.toSorted((a, b) => folderOf(new URL(b)).length - folderOf(new URL(a)).length)[0]
}

function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1)
}
