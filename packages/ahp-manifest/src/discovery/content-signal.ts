import type { ContentSignals } from '../generated/manifest/manifest.js'

const KEYS = [
  ['search', 'search'],
  ['ai_input', 'ai-input'],
  ['ai_train', 'ai-train'],
] as const

/**
 * The line of robots.txt that says what `content_signals` says, such as
 * `Content-Signal: search=yes, ai-input=yes, ai-train=no`. A signal that is not stated is left out; robots.txt has none
 * for attribution. Empty when nothing is stated.
 */
export function contentSignalLine(signals: Readonly<Partial<ContentSignals>>): string {
  const stated = KEYS.flatMap(([name, key]) => {
    const value = signals[name]
    return value === undefined ? [] : [`${key}=${value ? 'yes' : 'no'}`]
  })
  return stated.length === 0 ? '' : `Content-Signal: ${stated.join(', ')}`
}

/**
 * A robots.txt whose group for every robot (`User-agent: *`) has the Content-Signal line, in place of any it had. Without
 * such a group one is appended that allows everything. Other groups stay as they are.
 */
export function addContentSignal(robotsTxt: string, signals: Readonly<Partial<ContentSignals>>): string {
  const line = contentSignalLine(signals)
  if (line === '') return robotsTxt
  const lines = robotsTxt === '' ? [] : robotsTxt.replace(/\r?\n$/, '').split(/\r?\n/)
  const result: string[] = []
  let group: { isForAll: boolean; isOpen: boolean } = { isForAll: false, isOpen: false }
  let isAdded = false
  for (const text of lines) {
    const [, field = '', value = ''] = /^\uFEFF?\s*([^:#]*?)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(text) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      // Several User-agent lines in a row open one group.
      group = { isForAll: (group.isOpen && group.isForAll) || value === '*', isOpen: true }
    } else if (name !== '') {
      if (group.isOpen && group.isForAll && !isAdded) {
        result.push(line)
        isAdded = true
      }
      group = { ...group, isOpen: false }
      if (name === 'content-signal' && group.isForAll) continue
    }
    result.push(text)
  }
  if (!isAdded) {
    if (group.isOpen && group.isForAll) result.push(line)
    else result.push(...(result.length > 0 ? [''] : []), 'User-agent: *', line, 'Allow: /')
  }
  return `${result.join('\n')}\n`
}
