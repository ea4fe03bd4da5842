#!/usr/bin/env node
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
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
process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  signal: interrupted.signal,
  terminal: {
    async out(text) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain', { signal: interrupted.signal })
    },
    err: (text) => process.stderr.write(text),
    isErrTerminal: process.stderr.isTTY,
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    prompt,
  },
})

async function prompt(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  lines.once('SIGINT', () => {
    interrupted.abort()
  })
  try {
    // Nothing is typed after the end of the input.
    const ended = once(lines, 'close', { signal: interrupted.signal }).then(() => undefined)
    return await Promise.race([lines.question(question, { signal: interrupted.signal }), ended])
  } finally {
    lines.close()
  }
}
