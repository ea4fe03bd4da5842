import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDocumentDates } from './document-dates.js'
import { createLibrary, type Library } from './library.js'

const MAY = new Date('2026-05-01T00:00:00Z')
const JUNE = new Date('2026-06-01T00:00:00Z')
let root: string
let warnings: string[]
let library: Library

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'library-'))
  await mkdir(join(root, 'spec'))
  warnings = []
  const dates = await openDocumentDates(root, { now: () => JUNE.getTime() })
  library = createLibrary({ projectRoot: root, dates, warn: (line) => warnings.push(line) })
})

afterEach(async () => {
  await rm(root, { recursive: true })
})

async function write(text: string, modifiedAt: Date): Promise<void> {
  const file = join(root, 'spec', 'a.md')
  await writeFile(file, text)
  await utimes(file, modifiedAt, modifiedAt)
}

it('reads a document', async () => {
  await write('# Title\n\nText.\n', MAY)
  expect(await library.find('spec', 'a')).toMatchObject({
    path: 'spec/a.md',
    title: 'Title',
    summary: 'Text.',
    text: '# Title\n\nText.\n',
    updatedAt: MAY,
  })
  expect(await library.find('guide', 'a')).toBeUndefined()
})

it('shows a changed, a new and a removed file at the next call', async () => {
  await write('# One\n', MAY)
  expect((await library.find('spec', 'a'))?.title).toBe('One')
  await write('# Two\n', JUNE)
  await writeFile(join(root, 'spec', 'b.md'), '')
  expect(await library.documents()).toMatchObject([
    { slug: 'a', title: 'Two', updatedAt: JUNE },
    { slug: 'b', title: 'b', summary: '' },
  ])
  await rm(join(root, 'spec', 'a.md'))
  expect(await library.find('spec', 'a')).toBeUndefined()
})

it('keeps the date of a file that was only touched', async () => {
  await write('# One\n', MAY)
  await library.documents()
  await write('# One\n', JUNE)
  expect((await library.find('spec', 'a'))?.updatedAt).toEqual(MAY)
})

it('leaves out a file that is too large, and says so', async () => {
  await write('x'.repeat(1024 * 1024 + 1), MAY)
  expect(await library.documents()).toEqual([])
  expect(warnings).toEqual(['spec/a.md is left out: it is larger than 1048576 bytes'])
})
