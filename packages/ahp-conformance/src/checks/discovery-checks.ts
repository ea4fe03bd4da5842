import { identifyAgentJson, MANIFEST_MEDIA_TYPE, MANIFEST_PATH } from '@doorplate/ahp-manifest'
import { judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import { findNotice } from '../site/find-notice.js'
import { manifestLinks } from '../site/manifest-links.js'
import type { Reading } from '../site/reading.js'
import type { Site } from '../site/site.js'
import { about, type SiteCheck } from './site-check.js'

/** How agents find the manifest. */
export const discoveryChecks: readonly SiteCheck[] = [
  {
    id: 'discovery.link_target',
    title: 'The Link field leads to the manifest',
    requirements: ['R-006', 'DISC-001'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Send Link: </.well-known/agent.json>; rel="ahp-manifest agent-manifest"; type="application/agent+json".',
    run: judgeLinkTarget,
  },
  {
    id: 'discovery.notice',
    title: 'Pages hold the notice for agents in their HTML, out of sight',
    requirements: ['R-001', 'R-007', 'R-008', 'R-009', 'R-012'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Put the notice into the body of every page as it is sent, hidden, with the path of the manifest in it.',
    run: async (site) => judgePages(await site.pages(), 'R-007'),
  },
  {
    id: 'discovery.notice_kept',
    title: 'No script of the page takes the notice away, as far as its HTML shows',
    requirements: [rule('R-010')],
    needs: ['discovery.notice'],
    hint: 'Put the notice outside of what scripts mount, rewrite or remove, and of noscript.',
    run: async (site) => judged((await site.pages()).flatMap(lossFindings)),
  },
  {
    id: 'discovery.notice_on_errors',
    title: 'Error pages hold the notice too',
    requirements: [rule('R-011')],
    needs: ['manifest.identity'],
    hint: 'Put the notice into the pages of status 404 and 500 as well.',
    run: async (site) => {
      const missing = await site.send('page', {
        url: `${site.origin}${ABSENT}`,
        headers: { accept: 'text/html' },
      })
      return judgePages([missing], 'R-011')
    },
  },
  {
    id: 'discovery.accept',
    title: 'Who accepts application/agent+json gets the manifest',
    requirements: ['R-013', 'R-014'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Answer GET and HEAD that accept application/agent+json with the manifest, or with 302 to it.',
    run: judgeAccept,
  },
  {
    id: 'discovery.accept_limits',
    title: 'Nobody else gets it unasked',
    requirements: [rule('DISC-003')],
    needs: ['manifest.identity'],
    hint: 'Negotiate only GET and HEAD, and only for a member that names the type with a weight above zero.',
    run: judgeAcceptLimits,
  },
  {
    id: 'discovery.vary',
    title: 'What depends on Accept says so',
    requirements: [rule('DISC-004')],
    needs: ['discovery.accept'],
    hint: 'Send Vary: Accept with every response that could have been the manifest.',
    run: async (site) => {
      const plain = await negotiated(site, 'text/html, */*;q=0.5', 'manual')
      const asked = await negotiated(site, MANIFEST_MEDIA_TYPE, 'manual')
      if (!dependsOnAccept(plain, asked)) return skipped('Nothing was negotiated by Accept.')
      return judged(
        [plain, asked]
          .filter(({ headers }) => !/(^|,)\s*(accept|\*)\s*(,|$)/i.test(headers['vary'] ?? ''))
          .map((reading) => about(reading, 'DISC-004', `Vary is ${reading.headers['vary'] ?? 'absent'}.`)),
      )
    },
  },
]

const ABSENT = '/doorplate-conformance-absent'

async function judgeLinkTarget(site: Site): Promise<Outcome> {
  const reading = await site.manifest()
  const [link] = manifestLinks(reading.headers['link'] ?? '')
  if (link === undefined) return skipped('The manifest is served without such a Link field.')
  const url = URL.canParse(link.target, reading.url) ? new URL(link.target, reading.url).href : undefined
  const findings =
    url === reading.url
      ? []
      : [about(reading, 'R-006', `The Link field leads to ${link.target}, not to the manifest.`)]
  const isForAll = /rel\s*=\s*"[^"]*\bagent-manifest\b/i.test(reading.headers['link'] ?? '')
  if (isForAll) return judged(findings)
  return judged([
    ...findings,
    about(reading, 'DISC-001', 'The relation lacks agent-manifest, by which older agents look.'),
  ])
}

function judgePages(readings: readonly Reading[], number: string): Outcome {
  const html = readings.filter(({ headers }) => /html/i.test(headers['content-type'] ?? ''))
  if (html.length === 0) return skipped('No HTML was served there. Name pages with --page.')
  return judged(html.flatMap((reading) => noticeFindings(reading, number)))
}

function noticeFindings(reading: Reading, number: string): readonly Finding[] {
  const notice = findNotice(reading.text)
  if (notice === undefined) return [about(reading, number, 'The page holds no notice for agents.')]
  return [
    ...(notice.isInBody ? [] : [about(reading, 'R-009', 'The notice is not in the body.')]),
    ...(notice.html.includes(MANIFEST_PATH)
      ? []
      : [about(reading, number, `The notice does not name ${MANIFEST_PATH}.`)]),
    ...(notice.isHidden ? [] : [about(reading, 'R-008', 'People see the notice.')]),
    ...(notice.isLabelled
      ? []
      : [about(reading, 'R-012', 'The notice has no aria-label="AI Agent Notice".')]),
  ]
}

function lossFindings(reading: Reading): readonly Finding[] {
  const loss = findNotice(reading.text)?.loss
  return loss === undefined ? [] : [about(reading, 'R-010', loss.why, { advisory: !loss.isCertain })]
}

/** Where something else than the manifest is served that has to be negotiated: the content, else the first page. */
async function negotiated(
  site: Site,
  accept: string,
  redirect: 'follow' | 'manual' = 'follow',
): Promise<Reading> {
  const { contentUrl } = await site.declared()
  const isOwn = contentUrl !== undefined && new URL(contentUrl).origin === site.origin
  const url = (isOwn ? contentUrl : undefined) ?? site.settings.pages[0] ?? site.origin
  return site.send('page', { url, headers: { accept }, redirect })
}

/** Whether a redirect, or what was served, is another for whom wants the manifest. */
function dependsOnAccept(plain: Reading, asked: Reading): boolean {
  if (isManifest(asked)) return true
  return asked.status === 302 && asked.headers['location'] !== plain.headers['location']
}

async function judgeAccept(site: Site): Promise<Outcome> {
  const reading = await negotiated(site, MANIFEST_MEDIA_TYPE)
  if (isManifest(reading)) return judged([])
  return judged([
    about(reading, 'R-014', `Accept: ${MANIFEST_MEDIA_TYPE} is not answered with the manifest.`),
  ])
}

async function judgeAcceptLimits(site: Site): Promise<Outcome> {
  const accepts = ['*/*', `text/html, ${MANIFEST_MEDIA_TYPE};q=0`]
  const readings: (readonly [string, Reading])[] = []
  for (const accept of accepts) readings.push([`Accept: ${accept}`, await negotiated(site, accept)])
  const { converseUrl, isInteractive } = await site.declared()
  if (isInteractive) {
    const request = { url: converseUrl, method: 'POST', body: '{}' }
    const headers = { accept: MANIFEST_MEDIA_TYPE, 'content-type': 'application/json' }
    readings.push(['A POST', await site.send('converse', { ...request, headers, redirect: 'manual' })])
  }
  return judged(
    readings.flatMap(([what, reading]) => {
      const isNegotiated = isManifest(reading) || reading.status === 302
      return isNegotiated ? [about(reading, 'DISC-003', `${what} is answered with the manifest.`)] : []
    }),
  )
}

function isManifest({ json }: Reading): boolean {
  return identifyAgentJson(json).some(({ kind }) => kind === 'ahp-manifest')
}
