#!/usr/bin/env node
import { runInProcess, runRunnerCli } from '@doorplate/conformance-kit/cli'
import { conformanceCli } from '../conformance-cli.js'

await runInProcess((terminal) => runRunnerCli(conformanceCli, process.argv.slice(2), terminal))
