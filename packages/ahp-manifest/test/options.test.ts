import { expect, it } from 'vitest'
import {
  agentNotice,
  createManifestHandler,
  defineManifest,
  linkHeader,
  type ManifestInput,
  parseManifest,
  validateManifest,
  withAhpDiscovery,
} from '../src/index.js'

const SHELF: ManifestInput = {
  name: 'Shelf',
  endpoints: { content: '/llms.txt' },
  content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
}
const MANIFEST = defineManifest(SHELF)
const misspelt = { notices: false } as object

it.each([
  ['defineManifest', () => defineManifest(SHELF, misspelt)],
  ['parseManifest', () => parseManifest(MANIFEST, misspelt)],
  ['validateManifest', () => validateManifest(MANIFEST, misspelt)],
  ['withAhpDiscovery', () => withAhpDiscovery(() => new Response(), MANIFEST, misspelt)],
  ['createManifestHandler', () => createManifestHandler(MANIFEST, misspelt)],
  ['agentNotice', () => agentNotice(misspelt)],
  ['linkHeader', () => linkHeader(misspelt)],
])('%s refuses an option that there is not, and names those that there are', (_, call) => {
  expect(call).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringMatching(/^notices is not an option; there are \w+/) as string,
    }) as Error,
  )
})

it('a manifest that is none is refused where it would be served', () => {
  const none = undefined as never
  for (const call of [() => withAhpDiscovery(() => new Response(), none), () => createManifestHandler(none)])
    expect(call).toThrow(expect.objectContaining({ code: 'invalid_option' }) as Error)
})
