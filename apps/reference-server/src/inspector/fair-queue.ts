export interface FairQueueOptions {
  readonly maxRunning: number
  /** Turns besides those that run. */
  readonly maxWaiting: number
  /** Of one owner. */
  readonly maxWaitingOfOwner: number
}

export interface TurnRequest {
  /** Whoever has several turns has them one after the other. */
  readonly owner: string
  /** Work that may take long leaves one place to work that does not. */
  readonly isLong: boolean
}

/** Room for work that is to be done. */
export interface Turn {
  /** Does it when its turn comes; resolves when that is over. */
  start(work: () => Promise<void>): Promise<void>
  /** Gives a turn back that was not started. */
  leave(): void
  /** How many begin before it, and itself; 0 once it has begun. */
  place(): number
}

export interface FairQueue {
  /** Undefined where there is no room, not even to wait. */
  enter(request: TurnRequest): Turn | undefined
  /** Lets everybody begin: for when all have been told to end. */
  open(): void
}

interface Entry extends TurnRequest {
  /** Owners that take turns have one in each round. */
  readonly round: number
  /** Absent until it may begin. */
  begin?: () => void
  isRunning: boolean
}

/** Owners take turns: one with much to do is not before one with little to do who came later. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxWaiting, maxWaitingOfOwner } = options
  const entries = new Set<Entry>()
  const maxLong = Math.max(1, maxRunning - 1)
  let currentRound = 0
  let isOpen = false

  function enter({ owner, isLong }: TurnRequest): Turn | undefined {
    const own = [...entries].filter((other) => other.owner === owner)
    if (entries.size >= maxRunning + maxWaiting || own.length > maxWaitingOfOwner) return undefined
    const round = Math.max(currentRound, ...own.map((other) => other.round + 1))
    const entry: Entry = { owner, isLong, round, isRunning: false }
    entries.add(entry)
    return {
      async start(work) {
        await new Promise<void>((begin) => {
          entry.begin = begin
          advance()
        })
        await work().finally(() => {
          leave(entry)
        })
      },
      leave: () => {
        leave(entry)
      },
      place: () => (entry.isRunning ? 0 : waiting().indexOf(entry) + 1),
    }
  }

  function leave(entry: Entry): void {
    entries.delete(entry)
    advance()
  }

  function advance(): void {
    for (const entry of waiting()) {
      if (entry.begin === undefined || !mayBegin(entry)) continue
      entry.isRunning = true
      currentRound = Math.max(currentRound, entry.round)
      entry.begin()
    }
  }

  function mayBegin({ owner, isLong }: Entry): boolean {
    if (isOpen) return true
    const running = [...entries].filter(({ isRunning }) => isRunning)
    if (running.length >= maxRunning || running.some((other) => other.owner === owner)) return false
    return !isLong || running.filter((other) => other.isLong).length < maxLong
  }

  /** In the order of their turns. */
  function waiting(): Entry[] {
    return [...entries].filter(({ isRunning }) => !isRunning).sort((left, right) => left.round - right.round)
  }

  return {
    enter,
    open() {
      isOpen = true
      advance()
    },
  }
}
