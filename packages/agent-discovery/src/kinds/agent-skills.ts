import { arrayMember, isObject, member, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import {
  invalid,
  verified,
  type Identification,
  type NamedResource,
  type ReceivedDocument,
} from './identification.js'

const SCHEMA = /^https:\/\/schemas\.agentskills\.io\/discovery\/(\d[\w.-]{0,20})\/schema\.json$/
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/
const DIGEST = /^sha256:[0-9a-f]{64}$/
const TYPES: ReadonlySet<unknown> = new Set(['skill-md', 'archive'])
const MAX_SKILLS = 200

/** An index of agent skills, 0.2.0 or 0.1.0 (which has no `$schema`). An empty one is legal. */
export function recognizeAgentSkills(
  data: JsonObject,
  document: ReceivedDocument,
): Identification | undefined {
  const skills = arrayMember(data, 'skills')
  const [, version] = SCHEMA.exec(stringMember(data, '$schema') ?? '') ?? []
  if (
    !skills ||
    !(version !== undefined || document.promised === 'agent-skills-index' || looksLikeIndex(data, skills))
  )
    return undefined
  if (version !== undefined && version !== '0.2.0' && version !== '0.1.0') {
    return invalid('agent-skills-index', ['unsupported-version'], {
      version,
      signature: ['$schema is that of a skills index'],
    })
  }
  return readIndex(skills.slice(0, MAX_SKILLS), version, document.url)
}

/** Cards of agents have skills too, with ids and without files or addresses. */
function looksLikeIndex(data: JsonObject, skills: readonly unknown[]): boolean {
  const isItem = (skill: unknown): boolean =>
    isObject(skill) &&
    stringMember(skill, 'name') !== undefined &&
    (Array.isArray(member(skill, 'files')) || stringMember(skill, 'url') !== undefined)
  return skills.length > 0 && skills.every(isItem) && member(data, 'capabilities') === undefined
}

function readIndex(skills: readonly unknown[], version: string | undefined, url: string): Identification {
  const named: NamedResource[] = []
  const skipped: { name: string; why: string }[] = []
  let oldest = version === '0.1.0'
  for (const skill of skills) {
    const name = isObject(skill) ? (stringMember(skill, 'name') ?? '') : ''
    const files = isObject(skill) ? arrayMember(skill, 'files') : undefined
    oldest ||= files !== undefined
    const read = isObject(skill) ? readSkill(skill, name, files, url) : 'not an object'
    if (typeof read === 'string') skipped.push({ name: cleanText(name, 100), why: read })
    else named.push(read)
  }
  return verified('agent-skills-index', {
    variant: oldest ? '0.1.0' : '0.2.0',
    signature: [version === undefined ? 'skills is an array' : '$schema is that of a skills index'],
    warnings: [
      ...(version === undefined && !oldest ? ['missing-schema'] : []),
      ...(skipped.length > 0 ? [`skipped: ${skipped.length}`] : []),
    ],
    named,
    skipped,
  })
}

function readSkill(
  skill: JsonObject,
  name: string,
  files: readonly unknown[] | undefined,
  base: string,
): NamedResource | string {
  const problems = NAME.test(name) ? [] : ['invalid name']
  const [file] = files ?? []
  if (files && typeof file !== 'string') problems.push('no file')
  if (!files && !DIGEST.test(stringMember(skill, 'digest') ?? '')) problems.push('invalid digest')
  if (!files && !TYPES.has(member(skill, 'type'))) problems.push('unknown type')
  const reference = typeof file === 'string' ? `${name}/${file}` : (stringMember(skill, 'url') ?? 'invalid:')
  const resolved = resolveWebUrl(reference, base)
  if ('problem' in resolved) problems.push(resolved.problem)
  if (problems.length > 0 || 'problem' in resolved) return problems.join(', ')
  return { url: resolved.url.href, kind: 'agent-skill', via: 'skills', title: name }
}
