import { lossByScript, type NoticeLoss } from './loss-by-script.js'

/** The notice for agents in a page, as text: pages are not parsed, and no script is run. */
export interface PageNotice {
  /** Its element, up to the next end tag of that name. */
  readonly html: string
  readonly isInBody: boolean
  readonly isHidden: boolean
  readonly isLabelled: boolean
  /** Whether the scripts of the page take it away, as far as its HTML shows. */
  readonly loss: NoticeLoss | undefined
}

const ELEMENT = /<([a-z][a-z0-9-]*)\b([^<>]*)>/gi
const HIDDEN_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|clip(-path)?\s*:|left\s*:\s*-\d{3}|(width|height)\s*:\s*[01]px/i

/** The first element whose class or label says that it is one (specification, "Discovery"). */
export function findNotice(page: string): PageNotice | undefined {
  const html = withoutInert(page)
  for (const { 1: name = '', 2: all = '', index } of html.matchAll(ELEMENT)) {
    const attributes = all.slice(0, MAX_ATTRIBUTES_LENGTH)
    const isLabelled = /aria-label\s*=\s*["']?AI Agent Notice\b/i.test(attributes)
    if (!isLabelled && !/class\s*=\s*(["'])(?:[^"']*\s)?ahp-notice(?:\s[^"']*)?\1/i.test(attributes)) continue
    const lower = html.toLowerCase()
    const end = lower.indexOf(`</${name.toLowerCase()}`, index)
    const head = html.search(/<\/head\s*>|<body\b/i)
    return {
      html: html.slice(index, end < 0 ? index + MAX_NOTICE_LENGTH : end),
      isInBody: head < 0 || index > head,
      isHidden: /\shidden\b/i.test(attributes) || HIDDEN_STYLE.test(attributes),
      isLabelled,
      loss: lossByScript(page, {
        isWithoutScripts: lower.lastIndexOf('<noscript', index) > lower.lastIndexOf('</noscript', index),
        before: html.slice(0, index),
        after: end < 0 ? '' : html.slice(html.indexOf('>', end) + 1),
      }),
    }
  }
  return undefined
}

const MAX_NOTICE_LENGTH = 4_096
const MAX_ATTRIBUTES_LENGTH = 2_048

const INERT: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<script', '</script'],
  ['<template', '</template'],
]

/** The page without what is neither seen nor read: comments, scripts and templates. What has no end takes the rest along. */
function withoutInert(page: string): string {
  const lower = page.toLowerCase()
  let kept = ''
  let at = 0
  for (;;) {
    const starts = INERT.map(([start, end]) => ({ at: lower.indexOf(start, at), end })).filter(
      (start) => start.at >= 0,
    )
    const next = starts.toSorted((one, other) => one.at - other.at)[0]
    if (next === undefined) return kept + page.slice(at)
    kept += page.slice(at, next.at)
    const end = lower.indexOf(next.end, next.at)
    if (end < 0) return kept
    at = end + next.end.length
  }
}
