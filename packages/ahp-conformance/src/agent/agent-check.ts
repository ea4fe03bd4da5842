import {
  counted,
  inconclusive,
  judged,
  type Check,
  type Finding,
  type Outcome,
} from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import { questionsOf, type AgentRequest, type Visit } from './station.js'

/** What an agent did, by station. */
export interface AgentRecord {
  readonly visits: ReadonlyMap<string, Visit>
  /** What it was given; nothing but header fields to the site it is for may hold it. */
  readonly credential: string
}

/** A check of a visiting agent, as data. */
export type AgentCheck = Check<AgentRecord>

/** A finding about what an agent did. */
export function finding(number: string, message: string, advisory?: boolean): Finding {
  return { requirement: rule(number), message, ...(advisory === true && { advisory }) }
}

/** A check of what was done at one station. */
export interface StationCheck {
  readonly id: string
  readonly title: string
  readonly numbers: readonly string[]
  readonly hint: string
  readonly judge: (visit: Visit) => readonly Finding[]
}

/** Judges what was done at one station after a question was put there; an agent that only looked tells nothing. */
export function afterQuestion(station: string, check: StationCheck): AgentCheck {
  return atStation(station, check, (visit) => questionsOf(visit).length > 0)
}

/** Judges what was done at one station; an agent that did not come there tells nothing. */
export function atStation(
  station: string,
  check: StationCheck,
  didTask: (visit: Visit) => boolean = ({ requests }) => requests.length > 0,
): AgentCheck {
  const { id, title, numbers, hint, judge } = check
  return {
    id,
    title,
    requirements: numbers.map(rule),
    hint,
    run: ({ visits }) => {
      const visit = visits.get(station)
      if (visit === undefined || !didTask(visit)) return inconclusive(notThere(station))
      return judged(judge(visit))
    },
  }
}

/** Judges every question that was put at any station. */
export function judgeQuestions(
  visits: readonly Visit[],
  judge: (question: AgentRequest) => readonly Finding[],
): Outcome {
  const questions = visits.flatMap(questionsOf)
  if (questions.length === 0) return inconclusive('The agent asked nothing.')
  return judged(questions.flatMap(judge), counted(questions.length, 'question'))
}

/** Why a check of one station tells nothing. */
export function notThere(station: string): string {
  return `The agent did not do its task at the station ${station}.`
}
