import { checkOption, isAbsentOr, isRecord, isTexts } from '../options/check-option.js'

/**
 * Refuses parts of an llms.txt that cannot be written. `prefix` is what comes before their names in the error.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function checkLlmsTxt(document: object, prefix = ''): void {
  const { summary, details, sections = [] } = document as Readonly<Record<string, unknown>>
  checkOption(`${prefix}summary`, isAbsentOr('string', summary), 'a text')
  checkOption(`${prefix}details`, details === undefined || isTexts(details), 'a list of texts')
  for (const [index, section] of listOf(`${prefix}sections`, sections)) {
    const place = `${prefix}sections[${index}]`
    checkOption(`${place}.name`, typeof section['name'] === 'string', 'a text')
    for (const [position, { title, url, notes }] of listOf(`${place}.links`, section['links'])) {
      const link = `${place}.links[${position}]`
      checkOption(`${link}.title`, typeof title === 'string', 'a text')
      checkOption(`${link}.url`, typeof url === 'string', 'a text')
      checkOption(`${link}.notes`, isAbsentOr('string', notes), 'a text')
    }
  }
}

function listOf(
  option: string,
  value: unknown,
): readonly (readonly [number, Readonly<Record<string, unknown>>])[] {
  const items: unknown[] = Array.isArray(value) ? Array.from(value as unknown[]) : []
  checkOption(option, Array.isArray(value) && items.every(isRecord), 'a list of objects')
  return [...(items as Readonly<Record<string, unknown>>[]).entries()]
}
