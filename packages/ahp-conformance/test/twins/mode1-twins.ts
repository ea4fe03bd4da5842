import { set, type Draft } from '../draft.js'
import { refusal, type SiteRequest } from '../site-message.js'
import {
  ALWAYS,
  asksManifest,
  become,
  inManifest,
  inPage,
  inReply,
  instead,
  isContent,
  isManifest,
  isPage,
  type Twin,
} from './twin.js'

const isManifestHead = (request: SiteRequest): boolean => isManifest(request) && request.method === 'HEAD'

/** Faults of the manifest, its discovery and the content. */
export const MODE1_TWINS: readonly Twin[] = [
  {
    check: 'manifest.http',
    what: 'there is no manifest',
    status: 'failed',
    fault: instead(isManifest, () => refusal(404, 'invalid_request')),
  },
  {
    check: 'manifest.identity',
    what: 'an A2A card is there',
    status: 'failed',
    fault: instead(isManifest, () => ({
      ...ALWAYS,
      body: { name: 'x', url: 'https://x.test', skills: [], capabilities: {} },
    })),
  },
  {
    check: 'manifest.identity',
    what: 'the version is 2.0',
    status: 'failed',
    fault: inManifest(set('ahp', '2.0')),
  },
  {
    check: 'manifest.media_type',
    what: 'it is served as text/plain',
    status: 'failed',
    fault: inReply(
      (request) => isManifest(request),
      (reply) => (reply.headers['content-type'] = 'text/plain'),
    ),
  },
  {
    check: 'manifest.schema',
    what: 'ai_input is missing',
    status: 'failed',
    fault: inReply(
      (request, reply) => isManifest(request) && reply.status === 200,
      (reply) => (reply.body = { ...(reply.body as Draft), links: { mcp: 'not absolute' } }),
    ),
  },
  {
    check: 'manifest.modes',
    what: 'MODE1 is not declared',
    status: 'failed',
    breaks: ['R-033', 'R-038'],
    fault: inManifest(set('modes', ['MODE2', 'MODE3'])),
  },
  {
    check: 'manifest.actions',
    what: 'an action has no schema',
    status: 'failed',
    fault: inManifest(set('capabilities.4.output_schema')),
  },
  {
    check: 'manifest.actions',
    what: 'the asynchronous model is not declared',
    status: 'failed',
    fault: inManifest(set('async')),
  },
  {
    check: 'manifest.limits',
    what: 'limits are told that are not declared',
    status: 'failed',
    breaks: ['R-094'],
    fault: inManifest(set('rate_limits')),
  },
  {
    check: 'manifest.limits',
    what: 'the short form says something else',
    status: 'warning',
    fault: inManifest(set('rate_limit', '7/minute')),
  },
  {
    check: 'manifest.endpoints',
    what: 'the content is not named',
    status: 'warning',
    fault: inManifest(set('endpoints.content')),
  },
  {
    check: 'manifest.statements',
    what: 'a signal is not stated',
    status: 'warning',
    fault: inManifest(set('content_signals.search')),
  },
  {
    check: 'manifest.statements',
    what: 'a type of its own does not begin with x-',
    status: 'failed',
    fault: inManifest(set('capabilities.2.response_types', ['text/answer', 'application/foo'])),
  },
  {
    check: 'manifest.caching',
    what: 'it has no validator',
    status: 'warning',
    fault: inReply(
      (request) => isManifest(request),
      (reply) => delete reply.headers['etag'],
    ),
  },
  {
    check: 'manifest.head',
    what: 'HEAD is a method that is not allowed',
    status: 'warning',
    fault: instead(isManifestHead, () => refusal(405, 'invalid_request', {}, { allow: 'GET' })),
  },
  {
    check: 'manifest.head',
    what: 'HEAD finds nothing',
    status: 'warning',
    fault: instead(isManifestHead, () => refusal(404, 'invalid_request')),
  },
  {
    check: 'manifest.head',
    what: 'HEAD tells of another document',
    status: 'warning',
    fault: inReply(isManifestHead, (reply) => (reply.headers['content-type'] = 'text/html')),
  },
  {
    check: 'manifest.head',
    what: 'HEAD has another validator',
    status: 'warning',
    fault: inReply(isManifestHead, (reply) => (reply.headers['etag'] = '"2"')),
  },
  {
    check: 'discovery.link_target',
    what: 'the link leads elsewhere',
    status: 'failed',
    fault: inReply(
      () => true,
      (reply) =>
        (reply.headers['link'] =
          '</agent.json>; rel="ahp-manifest agent-manifest"; type="application/agent+json"'),
    ),
  },
  {
    check: 'discovery.notice',
    what: 'the page holds no notice',
    status: 'warning',
    breaks: ['R-001'],
    fault: inPage(() => '<!doctype html><title>Books</title><body>Books</body>'),
  },
  {
    check: 'discovery.notice',
    what: 'the notice is in the head',
    status: 'failed',
    fault: inPage((html) => html.replace(/<body>(.*)<\/body>/s, '<head>$1</head><body></body>')),
  },
  {
    check: 'discovery.notice',
    what: 'people see the notice',
    status: 'warning',
    fault: inPage((html) => html.replace('hidden="" style="display:none"', '')),
  },
  {
    check: 'discovery.notice_kept',
    what: 'only browsers without scripts have the notice',
    status: 'failed',
    fault: inPage((html) => html.replace(/<body>(.*)<\/body>/s, '<body><noscript>$1</noscript></body>')),
  },
  {
    check: 'discovery.notice_kept',
    what: 'a script removes the notice',
    status: 'warning',
    fault: inPage((html) => `${html}<script>document.querySelector('.ahp-notice').remove()</script>`),
  },
  {
    check: 'discovery.notice_kept',
    what: 'a script writes the body anew',
    status: 'warning',
    fault: inPage((html) => `${html}<script>document.body.innerHTML = app()</script>`),
  },
  {
    check: 'discovery.notice_kept',
    what: 'an application is mounted over the notice',
    status: 'warning',
    fault: inPage((html) =>
      html.replace(
        /<body>(.*)<\/body>/s,
        '<body><div id="root">$1</div><script type="module" src="/app.js"></script></body>',
      ),
    ),
  },
  {
    check: 'discovery.notice_on_errors',
    what: 'error pages hold no notice',
    status: 'warning',
    fault: inReply(isPage, (reply) => (reply.body = '<!doctype html><title>No</title><body>No</body>')),
  },
  {
    check: 'discovery.accept',
    what: 'Accept is not looked at',
    status: 'warning',
    breaks: ['R-013'],
    fault: inReply(
      (request) => isContent(request) && asksManifest(request),
      (reply) =>
        become(reply, { status: 200, headers: { 'content-type': 'text/markdown' }, body: '# Books' }),
    ),
  },
  {
    check: 'discovery.accept_limits',
    what: 'a weight of zero counts',
    status: 'failed',
    fault: instead(
      (request) =>
        isContent(request) && (request.headers.accept ?? '').includes('q=0') && asksManifest(request),
      () => ({ ...ALWAYS, headers: { vary: 'Accept' }, body: { ahp: '0.1', modes: ['MODE1'] } }),
    ),
  },
  {
    check: 'discovery.vary',
    what: 'Vary is missing',
    status: 'failed',
    fault: inReply(
      (request) => isContent(request),
      (reply) => delete reply.headers['vary'],
    ),
  },
  {
    check: 'content.served',
    what: 'the content is gone',
    status: 'failed',
    breaks: ['R-033', 'R-110'],
    fault: inReply(
      (request) => isContent(request) && !asksManifest(request),
      (reply) => become(reply, { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Gone' }),
    ),
  },
  {
    check: 'content.signals',
    what: 'robots.txt says something else',
    status: 'warning',
    breaks: ['R-118'],
    fault: inReply(
      ({ path }) => path === '/robots.txt',
      (reply) => (reply.body = 'User-agent: *\nContent-Signal: ai-train=yes\n'),
    ),
  },
]
