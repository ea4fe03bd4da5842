import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineAADP } from '@doorplate/aadp-server'
import { toNodeListener as toAadpListener } from '@doorplate/aadp-server/node'
import { mcpFace } from '@doorplate/ahp-converse/mcp'
import { toNodeListener } from '@doorplate/ahp-converse/node'
import { openApiFace } from '@doorplate/ahp-converse/openapi'
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { createLibraryKnowledge } from '../../apps/reference-server/src/concierge/library-knowledge.js'
import { shopCapabilities } from '../../apps/reference-server/src/concierge/shop-capabilities.js'
import { siteCapabilities } from '../../apps/reference-server/src/concierge/site-capabilities.js'
import { createVerifier } from '../../apps/reference-server/src/concierge/visitors.js'
import { openDemoTokens } from '../../apps/reference-server/src/demo-tokens.js'
import { openDocumentDates } from '../../apps/reference-server/src/document-dates.js'
import { createLibrary } from '../../apps/reference-server/src/library.js'
import { generatedRecords } from '../../apps/reference-server/src/publish/generated-records.js'
import { loadSqlite } from '../../apps/reference-server/src/shop/load-sqlite.js'
import { openShop } from '../../apps/reference-server/src/shop/open-shop.js'
import { SITE } from '../../apps/reference-server/src/site-facts.js'
import { serveContender } from '../src/serve-contender.js'

/** Forked as `alone.ts <name> <records>`: the same records and the same concierge, with a listener and nothing else. */
const publicUrl = 'https://docs.example'
const folder = mkdtempSync(join(tmpdir(), 'bench-alone-'))
const library = createLibrary({
  projectRoot: fileURLToPath(new URL('../..', import.meta.url)),
  dates: await openDocumentDates(folder, { now: Date.now }),
  warn: console.error,
})
const knowledge = await createLibraryKnowledge(library, { now: Date.now, warn: console.error })
const sqlite = await loadSqlite()
if ('missing' in sqlite) throw new Error('This needs better-sqlite3.')
const shop = openShop(sqlite, folder)
const plenty = { read: '999999999/day', ask: '999999999/day' } as const

const aadp = defineAADP({
  baseUrl: publicUrl,
  application: {
    name: SITE.name,
    description: SITE.description,
    publisher: { name: 'The Doorplate contributors', url: publicUrl },
  },
  policies: { robots: `${publicUrl}/robots.txt`, terms: `${publicUrl}/license` },
  resources: [generatedRecords(Number(process.argv[3]))],
  routes: { llmsTxt: false, apiCatalog: false },
})
const concierge = defineConcierge({
  name: SITE.name,
  publicUrl,
  contentSignals: SITE.contentSignals,
  knowledge,
  capabilities: {
    ...siteCapabilities(knowledge),
    ...shopCapabilities(shop, { carrier: undefined, now: Date.now }),
  },
  faces: [mcpFace({ path: '/mcp' }), openApiFace({ path: '/openapi.json' })],
  verify: createVerifier(await openDemoTokens(folder)),
  limits: { unauthenticated: plenty },
})
const read = toAadpListener(aadp)
const ask = toNodeListener(concierge)
serveContender((request, response) => {
  if (aadp.matches(request.url ?? '/')) read(request, response)
  else ask(request, response)
})
