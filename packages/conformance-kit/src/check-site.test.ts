import { expect, it } from 'vitest'
import { checkSite, type CheckSiteOptions } from './check-site.js'
import { judged } from './outcome.js'
import type { RequestLog } from './request-log.js'

const checks = [
  {
    id: 'home',
    title: 'The home page is there',
    requirements: ['R-1'],
    hint: 'Put it there.',
    run: async (log: RequestLog) =>
      judged((await log.send({ url: 'https://site.test/' })).ok ? [] : [missing]),
  },
]
const missing = { requirement: 'R-1', message: 'It is not.' }

let closed = 0
const options: CheckSiteOptions<RequestLog> = {
  protocol: 'demo',
  protocolVersion: '1',
  baseUrl: 'https://site.test',
  runner: { name: 'demo-conformance', version: '1.2.3' },
  requirementOf: () => undefined,
  port: {
    request: ({ url }) =>
      Promise.resolve({ url, redirected: false, status: 200, headers: {}, body: new Uint8Array(3) }),
    close: () => {
      closed++
      return Promise.resolve()
    },
  },
  subject: (log) => log,
}

it('needs neither limits nor anything about the run', async () => {
  closed = 0
  expect(await checkSite(checks, options)).toMatchObject({
    status: 'passed',
    requests: { count: 1, bytes: 3 },
  })
  expect(closed).toBe(1)
})

it.each([
  ['subject', { subject: undefined }],
  ['protocol', { protocol: undefined }],
  ['limits', { limits: 5 }],
  ['maxRequests', { limits: { maxRequests: 0 } }],
  ['run', { run: null }],
  ['run.onCheck', { run: { onCheck: 5 } }],
])('without a right %s nothing is asked, and the port is closed', async (option, wrong) => {
  closed = 0
  const refused = checkSite(checks, { ...options, ...wrong } as unknown as CheckSiteOptions<RequestLog>)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_option', option })
  expect(closed).toBe(1)
})

it.each([
  ['options', undefined],
  ['port', { ...options, port: undefined }],
  ['port.close', { ...options, port: { request: options.port.request } }],
])('without a right %s there is no run', async (option, wrong) => {
  const refused = checkSite(checks, wrong as unknown as CheckSiteOptions<RequestLog>)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_option', option })
})
