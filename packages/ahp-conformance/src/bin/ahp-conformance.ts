#!/usr/bin/env node
import { runInProcess, runRunnerCli } from '@doorplate/conformance-kit/cli'
import { agentCli } from '../agent-cli.js'
import { conformanceCli } from '../conformance-cli.js'

/** Where the progress of the run may stand. */
const ERASE_LINE = '\r\u001b[2K'

const [command, ...rest] = process.argv.slice(2)

await runInProcess((terminal) =>
  command === 'agent'
    ? runRunnerCli(
        agentCli((text) =>
          terminal.stderr.write(terminal.stderr.isTTY === true ? `${ERASE_LINE}${text}` : text),
        ),
        rest,
        terminal,
      )
    : runRunnerCli(conformanceCli, process.argv.slice(2), terminal),
)
