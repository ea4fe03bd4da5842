#!/usr/bin/env node
import { runCommand } from './run-command.js'

/** What an exported module keeps open, such as a server that it starts, must not keep the command running. */
const MAX_LINGER_MS = 500

process.exitCode = await runCommand(process.argv.slice(2), process.cwd(), {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
})
setTimeout(() => process.exit(), MAX_LINGER_MS).unref()
