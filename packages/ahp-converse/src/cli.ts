#!/usr/bin/env node
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { runCommand } from './cli/run-command.js'
import type { Terminal } from './cli/terminal.js'

const { stdin, stdout, stderr } = process
const interruption = new AbortController()
const { signal } = interruption

const terminal: Terminal = {
  async out(text) {
    if (!stdout.write(text)) await once(stdout, 'drain', { signal })
  },
  err: (text) => stderr.write(text),
  isErrTerminal: stderr.isTTY,
  isInteractive: stdin.isTTY && stdout.isTTY,
  async prompt(question) {
    const lines = createInterface({ input: stdin, output: stdout })
    lines.once('SIGINT', interrupt)
    try {
      const ended = once(lines, 'close', { signal }).then(() => undefined)
      return await Promise.race([lines.question(question, { signal }), ended])
    } finally {
      lines.close()
    }
  },
}

process.once('SIGINT', interrupt)
stdout.on('error', endOfOutput)
process.exitCode = await runCommand(process.argv.slice(2), { terminal, env: process.env, signal })

function interrupt(): void {
  interruption.abort()
}

/** Whoever read the output may have gone, as `head` does. */
function endOfOutput(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  interrupt()
}
