import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export const DOCUMENT_TYPES = ['guide', 'package', 'spec'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

export interface DocumentSource {
  readonly type: DocumentType
  /** Unique within its type, of the form that an entity id takes after the colon. */
  readonly slug: string
  /** Relative to the project's root, with `/`. */
  readonly path: string
  /** Slug of the package that it tells more of, besides that one's README. */
  readonly partOf?: string
}

const GUIDES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'VERSIONING.md']

/** The project's own documentation: its guides, the texts of its published packages and the pages of its specification. */
export async function findSources(projectRoot: string): Promise<readonly DocumentSource[]> {
  const found = await Promise.all([guides(projectRoot), packages(projectRoot), specification(projectRoot)])
  const sources = found.flat().sort((a, b) => compare(a.type, b.type) || compare(a.slug, b.slug))
  return sources.filter(({ type, slug }, place) => {
    const previous = sources[place - 1]
    return previous?.type !== type || previous.slug !== slug
  })
}

async function guides(root: string): Promise<DocumentSource[]> {
  const present = await filesIn(root)
  return GUIDES.filter((path) => present.includes(path)).map((path) => ({
    type: 'guide',
    slug: slugOf(path),
    path,
  }))
}

async function packages(root: string): Promise<DocumentSource[]> {
  const folders = await foldersIn(join(root, 'packages'))
  const published = await Promise.all(folders.map((folder) => isPublished(join(root, 'packages', folder))))
  const texts = await Promise.all(folders.filter((_, place) => published[place]).map(textsOf(root)))
  return texts.flat()
}

/** The README of a package, named after it, and what is told in full beside it. */
function textsOf(root: string): (folder: string) => Promise<DocumentSource[]> {
  return async (folder) => {
    const texts = await filesIn(join(root, 'packages', folder, 'docs'))
    const source = (name: string, path: string): DocumentSource => ({
      type: 'package',
      slug: slugOf(name),
      path: `packages/${folder}/${path}`,
    })
    const partOf = slugOf(folder)
    return [
      source(folder, 'README.md'),
      ...texts
        .filter((name) => name.endsWith('.md'))
        .map((name) => ({ ...source(`${folder}-${name}`, `docs/${name}`), partOf })),
    ]
  }
}

async function specification(root: string): Promise<DocumentSource[]> {
  const files = await filesIn(join(root, 'spec'), { recursive: true })
  return files
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ type: 'spec', slug: slugOf(path), path: `spec/${path}` }))
}

async function isPublished(folder: string): Promise<boolean> {
  const files = await filesIn(folder)
  if (!files.includes('package.json') || !files.includes('README.md')) return false
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { private?: boolean }
  return manifest.private !== true
}

/** `aadp/v1.0.md` -> `aadp-v1-0`; a README is named after its folder, the outermost one is the `overview`. */
export function slugOf(path: string): string {
  const words = path.replace(/\.md$/, '').replace(/(^|\/)README$/, '')
  const slug = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (slug === '') return 'overview'
  return /^[a-z]/.test(slug) ? slug : `page-${slug}`
}

/** Regular files only, as paths with `/`; a folder that does not exist holds none. Links are not followed. */
async function filesIn(folder: string, options: { readonly recursive?: boolean } = {}): Promise<string[]> {
  const entries = await entriesIn(folder)
  const nested = options.recursive === true ? entries.filter((entry) => entry.isDirectory()) : []
  const below = await Promise.all(
    nested.map(async ({ name }) =>
      (await filesIn(join(folder, name), options)).map((path) => `${name}/${path}`),
    ),
  )
  return [...entries.filter((entry) => entry.isFile()).map(({ name }) => name), ...below.flat()]
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function entriesIn(
  folder: string,
): Promise<{ name: string; isFile(): boolean; isDirectory(): boolean }[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function compare(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
