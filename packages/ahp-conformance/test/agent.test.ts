import { visit } from '@doorplate/ahp-converse/client'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { describe, expect, it } from 'vitest'
import {
  agentChecks,
  openAgentTrial,
  requirementOf,
  runAgentConformance,
  type AgentTask,
  type ConformanceReport,
} from '../src/index.js'
import { put } from './draft.js'
import { GoodAgent, type AgentFault } from './good-agent.js'

interface AgentTwin {
  readonly check: string
  readonly what: string
  readonly status: 'failed' | 'warning'
  readonly fault: AgentFault
}

const TWINS: readonly AgentTwin[] = [
  {
    check: 'discovery.well_known',
    what: 'the page comes first',
    status: 'warning',
    fault: { looksAt: ['/'] },
  },
  {
    check: 'discovery.link',
    what: 'the Link field is not read',
    status: 'warning',
    fault: { ignoresLink: true },
  },
  {
    check: 'discovery.notice',
    what: 'the notice is not read',
    status: 'warning',
    fault: { ignoresNotice: true },
  },
  {
    check: 'discovery.other_documents',
    what: 'a card is posted to',
    status: 'failed',
    fault: { trustsCards: true },
  },
  {
    check: 'discovery.integrations',
    what: '/mcp is tried',
    status: 'failed',
    fault: { looksAt: ['/.well-known/agent.json', '/mcp'] },
  },
  {
    check: 'versions.unknown',
    what: 'any version is asked',
    status: 'warning',
    fault: { asksAnyVersion: true },
  },
  {
    check: 'requests.valid',
    what: 'the locale is no tag',
    status: 'failed',
    fault: {
      question: (own) => {
        put(own, 'context.locale', 5)
      },
    },
  },
  {
    check: 'requests.version',
    what: 'there is no ahp',
    status: 'warning',
    fault: {
      question: (own) => {
        put(own, 'ahp')
      },
    },
  },
  {
    check: 'requests.agent',
    what: 'the agent has no name',
    status: 'warning',
    fault: {
      question: (own) => {
        put(own, 'context.requesting_agent')
      },
    },
  },
  {
    check: 'requests.intent',
    what: 'there is no intent',
    status: 'failed',
    fault: {
      question: (own) => {
        put(own, 'context.user_intent')
      },
    },
  },
  {
    check: 'credentials.kept',
    what: 'anybody gets the token',
    status: 'failed',
    fault: { sendsCredentialAnywhere: true },
  },
  {
    check: 'limits.retry_after',
    what: 'it is back too early',
    status: 'failed',
    fault: { waitMs: (attempt) => attempt * 500 },
  },
  {
    check: 'limits.backoff',
    what: 'every wait is the same',
    status: 'warning',
    fault: { waitMs: (_attempt, seconds = 1) => seconds * 1_000 },
  },
  {
    check: 'sessions.reply',
    what: 'the reply has no session',
    status: 'failed',
    fault: {
      question: (own) => {
        put(own, 'session_id')
      },
    },
  },
  { check: 'jobs.polled', what: 'nothing is collected', status: 'warning', fault: { neverPolls: true } },
  {
    check: 'jobs.foreign_poll',
    what: 'any address is polled',
    status: 'failed',
    fault: { pollsAnywhere: true },
  },
]

function found({ checks }: ConformanceReport): readonly string[] {
  return checks.filter(({ status }) => status !== 'passed').map(({ id, status }) => `${id} ${status}`)
}

describe('the checks of an agent', () => {
  it('all pass for the good agent', async () => {
    const agent = new GoodAgent()
    const report = await runAgentConformance(agent.visit, { now: agent.now })
    expect(found(report)).toEqual([])
    expect(report).toMatchObject({ status: 'passed', complete: true, profile: 'agent' })
    // What the waits of the agent took by its clock.
    expect(report.duration_ms).toBe(agent.now())
    expect(Date.parse(report.finished_at) - Date.parse(report.started_at)).toBe(report.duration_ms)
  })

  it('each have a broken twin', () => {
    const known = agentChecks.map(({ id }) => id)
    expect(new Set([...TWINS.map(({ check }) => check), 'limits.passing'])).toEqual(new Set(known))
  })

  it('cite rules that exist', () => {
    const cited = agentChecks.flatMap(({ requirements }) => requirements)
    expect(cited.filter((id) => requirementOf(id) === undefined)).toEqual([])
  })

  it.each(TWINS)('$check finds that $what', async ({ check, status, fault }) => {
    const agent = new GoodAgent(fault)
    const report = await runAgentConformance(agent.visit, { now: agent.now })
    expect(found(report)).toEqual([`${check} ${status}`])
  })

  it('find two things about an agent that never comes back', async () => {
    const agent = new GoodAgent({ maxAttempts: 1 })
    const report = await runAgentConformance(agent.visit, { now: agent.now })
    expect(found(report)).toEqual(['limits.passing warning', 'limits.backoff warning'])
  })

  it('certify nothing of an agent that only looks and asks one question', async () => {
    const agent = new GoodAgent()
    const report = await runAgentConformance(
      async (task) => {
        await fetch(new URL('/.well-known/agent.json', task.url))
        if (task.station === 'well_known') await agent.visit(task)
      },
      { now: agent.now },
    )
    const passed = report.checks.filter(({ status }) => status === 'passed').map(({ id }) => id)
    const unproved = ['requests.intent', 'limits.retry_after', 'jobs.foreign_poll', 'credentials.kept']
    expect(passed.filter((id) => unproved.includes(id))).toEqual([])
    expect(report.status).toBe('inconclusive')
  })

  it('say nothing about an agent that does not come', async () => {
    const report = await runAgentConformance(() => {
      throw new Error('No.')
    })
    expect(report.status).toBe('inconclusive')
  })
})

describe('our visiting agent', () => {
  it('passes', async () => {
    let timeMs = 0
    const now = (): number => timeMs
    const report = await runAgentConformance(
      async ({ url, capability, query, credential }: AgentTask) => {
        const fetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.0/8'] })
        try {
          const site = await visit(url, {
            fetch,
            credential,
            now,
            sleep: (delayMs) => {
              timeMs += delayMs
              return Promise.resolve()
            },
          })
          if (!site.modes.includes('MODE2')) {
            await site.readContent()
            return
          }
          const reply = await site.ask(capability, query)
          if (reply.status === 'clarification_needed') await reply.reply('novel')
          if (reply.status === 'accepted') await reply.wait()
        } finally {
          await fetch.close()
        }
      },
      { now },
    )
    expect(
      report.checks
        .filter(({ status }) => status !== 'passed')
        .map(({ id, message }) => `${id}: ${message ?? ''}`),
    ).toEqual([])
    expect(report).toMatchObject({ status: 'passed', complete: true })
  })
})

describe('a trial', () => {
  it('refuses wrong options', async () => {
    await expect(openAgentTrial({ port: -1 })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'port',
    })
    await expect(openAgentTrial({ host: '' })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'host',
    })
    await expect(openAgentTrial({ prot: 1 } as never)).rejects.toMatchObject({ option: 'prot' })
    await expect(runAgentConformance(() => undefined, { only: ['nothing'] })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'only',
    })
  })

  it('says which port cannot be opened, and leaves none open', async () => {
    const first = await openAgentTrial()
    const taken = Number(new URL(first.tasks[0]?.url ?? '').port)
    await expect(openAgentTrial({ port: taken - 1 })).rejects.toMatchObject({ code: 'cannot_listen' })
    await first.close()
  })
})
