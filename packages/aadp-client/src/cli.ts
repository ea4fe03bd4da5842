#!/usr/bin/env node
import { once } from 'node:events'
import { runCommand } from './cli/run-command.js'

const interrupted = new AbortController()
process.once('SIGINT', () => {
  interrupted.abort()
})
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the output has gone, as `head` does.
  if (error.code !== 'EPIPE') throw error
  interrupted.abort()
})
process.exitCode = await runCommand(
  process.argv.slice(2),
  {
    async out(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal: interrupted.signal })
    },
    err: (text) => process.stderr.write(text),
    isInteractive: process.stderr.isTTY,
  },
  interrupted.signal,
)
