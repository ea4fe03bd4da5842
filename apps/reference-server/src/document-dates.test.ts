import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDocumentDates } from './document-dates.js'
import { StartError } from './start-error.js'

const MAY = new Date('2026-05-01T00:00:00Z')
const JUNE = new Date('2026-06-01T00:00:00Z')
const JULY = new Date('2026-07-01T00:00:00Z')
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dates-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

function open(now: Date): ReturnType<typeof openDocumentDates> {
  return openDocumentDates(folder, { now: () => now.getTime() })
}

describe('openDocumentDates', () => {
  it('starts from the time of the file, which is never in the future', async () => {
    const dates = await open(JUNE)
    expect(dates.dateOf('spec:a', 'x', MAY)).toEqual(MAY)
    expect(dates.dateOf('spec:b', 'x', JULY)).toEqual(JUNE)
  })

  it('keeps the date of unchanged text, whatever the file says, across restarts', async () => {
    const before = await open(JUNE)
    before.dateOf('spec:a', 'x', MAY)
    await before.save()
    expect((await open(JULY)).dateOf('spec:a', 'x', JULY)).toEqual(MAY)
  })

  it('dates changed text with the present, even when its file is older', async () => {
    const before = await open(JUNE)
    before.dateOf('spec:a', 'x', JUNE)
    await before.save()
    const after = await open(JULY)
    expect(after.dateOf('spec:a', 'y', MAY)).toEqual(JULY)
    expect(after.dateOf('spec:a', 'y', MAY)).toEqual(JULY)
  })

  it('leaves one file behind, and none when nothing moved', async () => {
    const dates = await open(JUNE)
    await dates.save()
    expect(await readdir(folder)).toEqual([])
    dates.dateOf('__proto__', 'x', MAY)
    await dates.save()
    expect(await readdir(folder)).toEqual(['document-dates.json'])
    expect((await open(JULY)).dateOf('__proto__', 'x', JULY)).toEqual(MAY)
  })

  it.each(['', 'null', '[1]', '{"a":{}}', '{"a":{"digest":"x","updatedAt":"soon"}}'])(
    'refuses %j',
    async (text) => {
      await writeFile(join(folder, 'document-dates.json'), text)
      await expect(open(JUNE)).rejects.toThrow(StartError)
      await expect(open(JUNE)).rejects.toThrow(/is damaged\. Delete it/)
    },
  )
})
