#!/usr/bin/env node
import { runInProcess } from '@doorplate/conformance-kit/cli'
import { runDiscoveryCli } from '../cli/run-discovery-cli.js'

await runInProcess((terminal) => runDiscoveryCli(process.argv.slice(2), terminal))
