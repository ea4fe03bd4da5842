import { Hono } from 'hono'
import { notFound } from '../pages/problems.js'
import { CATALOGUE } from '../routes.js'
import type { SiteEnv } from '../site-env.js'
import { pageResponse } from '../site-response.js'
import type { Catalogue } from './catalogue.js'
import { cataloguePage, entityPage, typePage } from './catalogue-pages.js'

const LOCALE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/

/** The pages on which people look through what agents read. */
export function createCatalogueSite(catalogue: Catalogue): Hono<SiteEnv> {
  const pages = new Hono<SiteEnv>()

  pages.get(CATALOGUE, async () => pageResponse(200, cataloguePage(await catalogue.types())))

  pages.get(`${CATALOGUE}/:type`, async ({ req }) => {
    const page = await catalogue.page(req.param('type'), req.query('cursor'))
    return page === undefined ? notFound() : pageResponse(200, typePage(page))
  })

  pages.get(`${CATALOGUE}/:type/:slug`, async ({ req }) => {
    const locale = req.query('locale')
    if (locale !== undefined && !LOCALE.test(locale)) return notFound()
    const entity = await catalogue.entity({ ...req.param(), locale })
    return entity === undefined ? notFound() : pageResponse(200, entityPage(entity))
  })

  return pages
}
