#!/usr/bin/env node
import { runInProcess, runRunnerCli } from '@doorplate/conformance-kit/cli'
import { agentCli } from '../agent-cli.js'
import { conformanceCli } from '../conformance-cli.js'

const [command, ...rest] = process.argv.slice(2)

await runInProcess((terminal) =>
  command === 'agent'
    ? runRunnerCli(
        agentCli((text) => terminal.stderr.write(text)),
        rest,
        terminal,
      )
    : runRunnerCli(conformanceCli, process.argv.slice(2), terminal),
)
