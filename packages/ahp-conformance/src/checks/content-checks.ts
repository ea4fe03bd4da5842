import { contentSignalLine } from '@doorplate/ahp-manifest'
import { judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import type { Site } from '../site/site.js'
import { about, type SiteCheck } from './site-check.js'

/** What agents of MODE1 read. */
export const contentChecks: readonly SiteCheck[] = [
  {
    id: 'content.served',
    title: 'Content that agents can read is served',
    requirements: ['R-030', 'R-031', 'R-033', 'R-110'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Serve llms.txt, Markdown or JSON where endpoints.content leads.',
    run: judgeContent,
  },
  {
    id: 'content.signals',
    title: 'robots.txt says of the content what the manifest says',
    requirements: ['R-118', 'SIG-001'].map(rule),
    needs: ['manifest.identity'],
    hint: 'Derive the Content-Signal line of robots.txt from content_signals.',
    run: judgeSignals,
  },
]

async function judgeContent(site: Site): Promise<Outcome> {
  const { contentUrl = `${site.origin}/llms.txt` } = await site.declared()
  const reading = await site.send('content', {
    url: contentUrl,
    headers: { accept: 'text/markdown, text/plain, application/json, */*;q=0.1' },
  })
  if (reading.status !== 200)
    return judged([
      about(reading, 'R-030', reading.failure ?? `Status ${String(reading.status)}, expected 200.`),
    ])
  if (reading.text.trim() === '') return judged([about(reading, 'R-030', 'The content is empty.')])
  const type = reading.headers['content-type'] ?? 'absent'
  const isReadable = /^(text\/(?!html)|application\/(json|[\w.-]+\+json|xml))/i.test(type)
  return judged(
    isReadable
      ? []
      : [
          about(reading, 'R-030', `Content-Type is ${type}, which is not text for agents.`, {
            advisory: true,
          }),
        ],
  )
}

async function judgeSignals(site: Site): Promise<Outcome> {
  const reading = await site.send('page', {
    url: `${site.origin}/robots.txt`,
    headers: { accept: 'text/plain' },
  })
  const stated = signalsIn(reading.status === 200 ? reading.text : '')
  if (stated.size === 0) return skipped('robots.txt has no Content-Signal.')
  const { manifest } = await site.declared()
  const declared = signalsIn(contentSignalLine(manifest.content_signals))
  const differing = [...stated].filter(([name, value]) => declared.has(name) && declared.get(name) !== value)
  return judged(
    differing.map(([name, value]) =>
      about(
        reading,
        'SIG-001',
        `robots.txt says ${name}=${value}, and the manifest ${declared.get(name) ?? ''}.`,
      ),
    ),
  )
}

function signalsIn(text: string): ReadonlyMap<string, string> {
  const lines = [...text.matchAll(/^content-signal:(.*)$/gim)].map(([, list = '']) => list)
  return new Map(
    lines.flatMap((list) =>
      [...list.matchAll(/([\w-]+)\s*=\s*(yes|no)/gi)].map(
        ([, name = '', value = '']) => [name.toLowerCase(), value.toLowerCase()] as const,
      ),
    ),
  )
}
