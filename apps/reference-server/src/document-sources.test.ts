import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSources, slugOf } from './document-sources.js'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sources-'))
})

afterEach(async () => {
  await rm(root, { recursive: true })
})

async function write(path: string, text = '# T\n'): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

describe('findSources', () => {
  it('finds guides, published packages and the specification, in order', async () => {
    await write('README.md')
    await write('CHANGELOG.md')
    await write('spec/README.md')
    await write('spec/aadp/v1.0.md')
    await write('spec/aadp/v1.0.json')
    await write('packages/b/README.md')
    await write('packages/b/package.json', '{}')
    await write('packages/b/docs/more.md')
    await write('packages/a/README.md')
    await write('packages/a/package.json', '{"private":true}')
    await write('packages/c/package.json', '{}')
    expect(await findSources(root)).toEqual([
      { type: 'guide', slug: 'overview', path: 'README.md' },
      { type: 'package', slug: 'b', path: 'packages/b/README.md' },
      { type: 'package', slug: 'b-more', path: 'packages/b/docs/more.md', partOf: 'b' },
      { type: 'spec', slug: 'aadp-v1-0', path: 'spec/aadp/v1.0.md' },
      { type: 'spec', slug: 'overview', path: 'spec/README.md' },
    ])
  })

  it('keeps one of two files that would share an id', async () => {
    await write('spec/a-b.md')
    await write('spec/a/b.md')
    expect(await findSources(root)).toHaveLength(1)
  })

  it.skipIf(process.platform === 'win32')('does not follow links', async () => {
    await write('elsewhere/secret.md')
    await mkdir(join(root, 'spec'))
    await symlink(join(root, 'elsewhere'), join(root, 'spec', 'folder'))
    await symlink(join(root, 'elsewhere', 'secret.md'), join(root, 'spec', 'file.md'))
    expect(await findSources(root)).toEqual([])
  })

  it('finds nothing in an empty folder', async () => {
    expect(await findSources(root)).toEqual([])
  })
})

describe('slugOf', () => {
  it.each([
    ['README.md', 'overview'],
    ['aadp/README.md', 'aadp'],
    ['aadp/v1.0.md', 'aadp-v1-0'],
    ['CONTRIBUTING.md', 'contributing'],
    ['2026/Über uns.md', 'page-2026-ber-uns'],
    ['---.md', 'overview'],
  ])('%s -> %s', (path, slug) => {
    expect(slugOf(path)).toBe(slug)
    expect(slug).toMatch(/^[a-z][a-z0-9_-]*$/)
  })
})
