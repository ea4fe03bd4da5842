import type { Capability } from '@doorplate/ahp-manifest'
import { ConverseError } from '../converse-error.js'

/** The named capability. Without a name: the one that suits the question best, and never one that acts. */
export function chooseCapability(
  capabilities: readonly Capability[],
  name: string | undefined,
  query: string,
  acceptTypes: readonly string[] | undefined,
): Capability {
  const chosen =
    name === undefined
      ? bestFor(query, acceptTypes, capabilities.filter(onlyAnswers))
      : capabilities.find((capability) => capability.name === name)
  if (chosen) return chosen
  const names = capabilities.map((capability) => capability.name).slice(0, MAX_NAMES)
  const must = name === undefined ? ', which has to be named' : ''
  const offered =
    names.length > 0 ? `It offers ${names.join(', ')}${must}.` : 'It offers content to read only.'
  const wanted = name === undefined ? 'none that answers questions' : `none named ${JSON.stringify(name)}`
  throw new ConverseError('no_capability', `Of the site's capabilities there is ${wanted}. ${offered}`)
}

const MAX_NAMES = 20

/** Whether a capability answers and does nothing else. */
export function onlyAnswers({ mode, action_type: actionType }: Capability): boolean {
  return mode === 'MODE2' || (mode === 'MODE3' && actionType === 'query')
}

/** Whoever answers in an accepted type, then shares most words with the question, then is open, then is declared first. */
function bestFor(
  query: string,
  acceptTypes: readonly string[] | undefined,
  capabilities: readonly Capability[],
): Capability | undefined {
  const asked = wordsOf(query)
  const ranked = capabilities.map((capability) => {
    const own = wordsOf(`${capability.name.replaceAll('_', ' ')} ${capability.description}`)
    const shared = [...asked].filter((word) => own.has(word)).length
    const isOpen = capability.mode === 'MODE2' && capability.auth_required !== true
    return { capability, rank: [Number(suits(capability, acceptTypes)), shared, Number(isOpen)] }
  })
  return ranked.toSorted((one, other) => compareRanks(other.rank, one.rank))[0]?.capability
}

function suits(
  { response_types: types = ['text/answer'] }: Capability,
  accepted: readonly string[] | undefined,
): boolean {
  return accepted === undefined || accepted.some((type) => types.includes(type.toLowerCase()))
}

function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' })

/** Words of three letters or more; shorter ones say little in any script that puts spaces. */
function wordsOf(text: string): Set<string> {
  const words = [...SEGMENTER.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike)
  return new Set(
    words.map(({ segment }) => segment).filter((word) => word.length > 2 || /[^\p{ASCII}]/u.test(word)),
  )
}
