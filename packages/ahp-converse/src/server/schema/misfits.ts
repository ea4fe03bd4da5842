import type { OutputUnit } from '@cfworker/json-schema'

/** What says of one object which members it lacks, and which it has that there are not. */
const OF_MEMBERS: ReadonlySet<string> = new Set(['required', 'additionalProperties', 'false'])

/**
 * What is wrong, each with its place. The last unit is nearest to the data; those before repeat it for every schema around, but for
 * those that speak of other members of the same object.
 */
export function misfits(units: readonly OutputUnit[], whole: 'input' | 'output'): readonly string[] {
  const last = units.at(-1)
  if (last === undefined) return []
  if (!OF_MEMBERS.has(last.keyword)) return [`${placeOf(last)}: ${last.error}`]
  const first = units.findLastIndex(
    (unit) => !OF_MEMBERS.has(unit.keyword) || objectOf(unit) !== objectOf(last),
  )
  return units
    .slice(first + 1)
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map((unit) =>
      unit.keyword === 'required'
        ? `${placeOf(unit)}/${missingMember(unit)}: is missing`
        : `${placeOf(unit)}: not a member of the ${whole}`,
    )
}

function placeOf({ instanceLocation }: OutputUnit): string {
  return instanceLocation.slice(1)
}

function objectOf({ keyword, instanceLocation }: OutputUnit): string {
  return keyword === 'false' ? instanceLocation.slice(0, instanceLocation.lastIndexOf('/')) : instanceLocation
}

/** The validator names it in words only. */
function missingMember({ error }: OutputUnit): string {
  return /"(.*)"/s.exec(error)?.[1] ?? ''
}
