import { Hono } from 'hono'
import { fieldsOf, ownForms } from '../pages/own-forms.js'
import { methodNotAllowed, notFound } from '../pages/problems.js'
import { INSPECT, inspectionPageOf } from '../routes.js'
import { addressOf, type SiteEnv } from '../site-env.js'
import { downloadResponse, pageResponse, seeOther } from '../site-response.js'
import type { Inspection } from './inspection.js'
import { inspectionPage, inspectPage, type InspectForm } from './inspector-pages.js'
import type { Inspector } from './inspector.js'
import { InspectionRefusal, type RefusalCode } from './refusal.js'

const INTERACTIVE = { scripts: true, forms: true }
const INSPECTION = `${INSPECT}/:id{[0-9a-f]{32}}`
const MAX_SHOWN_INPUT = 2048

const LATER: ReadonlySet<RefusalCode> = new Set(['rate_limited', 'site_rate_limited'])

/** The pages on which people look at sites as agents do. */
export function createInspectorSite(
  inspector: Inspector,
  { origin }: { readonly origin: string },
): Hono<SiteEnv> {
  const pages = new Hono<SiteEnv>()

  pages.get(INSPECT, ({ req }) => formPage(200, { url: req.query('url') ?? '', suites: false }))

  pages.post(INSPECT, ownForms(origin), async (context) => {
    const fields = await fieldsOf(context.req)
    const form = { url: fields.get('url') ?? '', suites: fields.get('suites') === 'yes' }
    try {
      return seeOther(inspectionPageOf(await inspector.start({ ...form, address: addressOf(context) })))
    } catch (error) {
      if (!(error instanceof InspectionRefusal)) throw error
      const status = error.code === 'busy' ? 503 : LATER.has(error.code) ? 429 : 400
      const response = formPage(status, { ...form, refusal: error })
      if (error.retryAfterSeconds !== undefined)
        response.headers.set('retry-after', String(error.retryAfterSeconds))
      return response
    }
  })

  pages.all(INSPECT, () => methodNotAllowed(['GET', 'HEAD', 'POST']))

  pages.get(INSPECTION, async ({ req }) => {
    const inspection = await inspector.find(req.param('id'))
    return inspection === undefined ? notFound() : pageResponse(200, inspectionPage(inspection), INTERACTIVE)
  })

  pages.get(`${INSPECTION}/:file{(find|read|ask|requests|aadp|ahp)\\.json}`, async ({ req }) => {
    const { id, file } = req.param()
    const inspection = await inspector.find(id)
    const part = inspection && partOf(inspection, file.replace('.json', ''))
    return part === undefined ? notFound() : downloadResponse(file, `${JSON.stringify(part, undefined, 2)}\n`)
  })

  function formPage(status: number, { url, ...form }: InspectForm): Response {
    return pageResponse(
      status,
      inspectPage({ url: url.slice(0, MAX_SHOWN_INPUT), ...form }, { origin }),
      INTERACTIVE,
    )
  }

  return pages
}

function partOf({ steps, requests }: Inspection, part: string): unknown {
  if (part === 'requests') return requests
  const step = steps[part as keyof typeof steps]
  return step?.state === 'done' ? step.result : undefined
}
