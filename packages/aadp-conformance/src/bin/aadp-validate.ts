#!/usr/bin/env node
import { buffer } from 'node:stream/consumers'
import { runInProcess } from '@doorplate/conformance-kit/cli'
import { runValidateCli } from '../validate-cli.js'

await runInProcess((terminal) => runValidateCli(process.argv.slice(2), terminal, () => buffer(process.stdin)))
