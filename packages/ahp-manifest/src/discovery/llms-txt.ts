import type { Manifest } from '../generated/manifest/manifest.js'
import { checkNames, invalidOption } from '../manifest/ahp-manifest-error.js'
import { isObject } from '../own-member.js'
import { MANIFEST_PATH } from './well-known.js'

/** One document of the site. */
export interface LlmsTxtLink {
  readonly title: string
  /** A path on the origin of the site, or a URL; Markdown is best. */
  readonly url: string
  /** What an agent finds there, in a sentence. */
  readonly note?: string
}

/** Documents about one subject. */
export interface LlmsTxtSection {
  readonly title: string
  readonly links: readonly LlmsTxtLink[]
}

/** What llms.txt says besides what the manifest does. */
export interface LlmsTxtContent {
  /** Markdown that stands between the description and the first section; it must have no headings. */
  readonly details?: string
  /** The documents, by subject. Default: none. */
  readonly sections?: readonly LlmsTxtSection[]
  /** What an agent short of space may leave out. */
  readonly optional?: readonly LlmsTxtLink[]
}

/**
 * The text of `/llms.txt` (llmstxt.org): the name and description of the manifest, then the content, then how to ask
 * questions where the site answers them. A section without links is left out.
 *
 * @throws {AhpManifestError} `invalid_option`
 */
export function llmsTxt(manifest: Readonly<Manifest>, content: LlmsTxtContent = {}): string {
  if (!isObject(manifest)) throw invalidOption('manifest', 'must be an object')
  checkContent(content)
  const { name = 'This site', description, endpoints, capabilities = [] } = manifest
  const asking = capabilities.filter(({ mode }) => mode !== 'MODE1')
  const questions: LlmsTxtLink[] =
    asking.length === 0
      ? []
      : [
          {
            title: 'Agent manifest',
            url: MANIFEST_PATH,
            note: `questions are answered at POST ${endpoints?.converse ?? '/agent/converse'} (Agent Handshake Protocol): ${asking.map((capability) => `${capability.name}, ${capability.description}`).join('; ')}`,
          },
        ]
  const sections: LlmsTxtSection[] = [
    ...(content.sections ?? []),
    { title: 'Asking questions', links: questions },
    { title: 'Optional', links: content.optional ?? [] },
  ]
  const parts = [
    `# ${oneLine(name)}`,
    ...(description === undefined ? [] : [`> ${oneLine(description)}`]),
    ...(content.details === undefined ? [] : [content.details.trim()]),
    ...sections
      .filter(({ links }) => links.length > 0)
      .map(({ title, links }) => `## ${oneLine(title)}\n\n${links.map(listItem).join('\n')}`),
  ]
  return `${parts.join('\n\n')}\n`
}

function checkContent(content: LlmsTxtContent): void {
  if (!isObject(content)) throw invalidOption('content', 'must be an object')
  checkNames(content, ['details', 'sections', 'optional'])
  const { details = '', sections = [], optional = [] } = content
  if (typeof details !== 'string') throw invalidOption('details', 'must be text')
  if (!Array.isArray(sections) || !sections.every(isSection))
    throw invalidOption('sections', `must be a list of { title, links }, links ${LINKS_RULE}`)
  if (!areLinks(optional)) throw invalidOption('optional', `must be ${LINKS_RULE}`)
}

const LINKS_RULE = 'a list of { title, url, note? }, all of them text'

function isSection(section: unknown): boolean {
  return isObject(section) && typeof section['title'] === 'string' && areLinks(section['links'])
}

function areLinks(links: unknown): boolean {
  return Array.isArray(links) && links.every(isLink)
}

function isLink(link: unknown): boolean {
  if (!isObject(link)) return false
  const { title, url, note = '' } = link
  return [title, url, note].every((text) => typeof text === 'string')
}

function listItem({ title, url, note }: LlmsTxtLink): string {
  const link = `- [${oneLine(title)}](${url.replace(/[()<>\s]/g, encodeCharacter)})`
  return note === undefined ? link : `${link}: ${oneLine(note)}`
}

/** `encodeURIComponent` leaves parentheses as they are. */
function encodeCharacter(character: string): string {
  if (character === '(') return '%28'
  return character === ')' ? '%29' : encodeURIComponent(character)
}

/** One line of text in which nothing is Markdown. */
function oneLine(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[\\`*[\]<>#]/g, '\\$&')
}
