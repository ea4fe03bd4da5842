import leven from 'leven'

/** The known name that somebody who wrote `name` meant, if it is close enough to be sure. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = bare(name)
  const maxDistance = Math.min(plain.length - 1, Math.max(2, Math.floor(plain.length / 3)))
  const [nearest] = known
    .map((candidate) => ({
      candidate,
      distance: leven(plain, bare(candidate), { maxDistance: maxDistance + 1 }),
    }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.candidate
}

/** A name in another spelling is not another name. */
function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 64)
}
