import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'
import { createMiddleware } from 'hono/factory'
import type { MiddlewareHandler } from 'hono'
import { foreignForm, longForm } from './problems.js'

const MAX_FORM_BYTES = 32_768

/** Lets in the forms of this site's own pages alone: whoever is led here by another site sends its origin. */
export function ownForms(origin: string): MiddlewareHandler {
  const fromHere = createMiddleware(async ({ req }, next) =>
    req.header('origin') === origin ? next() : foreignForm(origin),
  )
  return every(fromHere, bodyLimit({ maxSize: MAX_FORM_BYTES, onError: longForm }))
}

/** The fields of a form, whatever it calls itself. */
export async function fieldsOf(req: { text(): Promise<string> }): Promise<URLSearchParams> {
  return new URLSearchParams(await req.text())
}
