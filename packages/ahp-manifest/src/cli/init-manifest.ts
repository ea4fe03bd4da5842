import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { agentNotice } from '../discovery/agent-notice.js'
import { contentSignalLine } from '../discovery/content-signal.js'
import { linkHeader } from '../discovery/link-header.js'
import { llmsTxt } from '../discovery/llms-txt.js'
import { defineManifest, type AnsweringCapability } from '../manifest/define-manifest.js'
import type { CliOutput } from './cli-output.js'

const ASKING: AnsweringCapability = {
  name: 'content_search',
  description: 'Answers questions from the content of this site',
  mode: 'MODE2',
  response_types: ['text/answer'],
}

/** `ahp-manifest init`. */
export async function initManifest(args: readonly string[], { print }: CliOutput): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      description: { type: 'string' },
      content: { type: 'string', default: '/llms.txt' },
      'rate-limit': { type: 'string' },
      ask: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const [file = '.well-known/agent.json', ...more] = positionals
  if (more.length > 0) throw new Error('init takes at most one file')
  const manifest = defineManifest({
    name: values.name ?? basename(resolve('.')),
    ...(values.description === undefined ? {} : { description: values.description }),
    endpoints: { content: values.content },
    ...(values.ask ? { capabilities: [ASKING] } : {}),
    ...(values['rate-limit'] === undefined
      ? {}
      : { rate_limits: { unauthenticated: { requests: values['rate-limit'] } } }),
    content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  })
  await mkdir(dirname(resolve(file)), { recursive: true })
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`, { flag: values.force ? 'w' : 'wx' })
  print(`Wrote ${file}. Check content_signals: they say how AI systems may use the content.

Write ${values.content}, which agents read first; list your own pages:
${llmsTxt(manifest, { sections: [{ title: 'Pages', links: [{ title: 'Home', url: '/' }] }] })}
Serve the manifest at /.well-known/agent.json as application/json, and send with every response:
Link: ${linkHeader()}

Put into the body of every page:
${agentNotice()}

Put into robots.txt, below "User-agent: *":
${contentSignalLine(manifest.content_signals)}`)
  return 0
}
