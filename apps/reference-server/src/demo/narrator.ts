/** Tells a person what the agent does. */
export interface Narrator {
  /** A step begins. */
  readonly step: (title: string) => void
  /** Something that was seen. */
  readonly say: (line: string) => void
}

/** What was seen is not what should have been: the demonstration ends. */
class DemoFailure extends Error {
  override readonly name = 'DemoFailure'
}

export function require(condition: boolean, complaint: string): asserts condition {
  if (!condition) throw new DemoFailure(complaint)
}

export function createNarrator(print: (line: string) => void): Narrator {
  let count = 0
  return {
    step(title) {
      count += 1
      print(`\n${String(count)}. ${title}`)
    },
    say(line) {
      for (const part of line.split('\n')) print(`   ${part}`)
    },
  }
}
