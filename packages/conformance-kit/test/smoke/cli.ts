import { describeOptions, RUNNER_OPTIONS } from '@doorplate/conformance-kit/cli'

export function smoke(): boolean {
  return describeOptions(RUNNER_OPTIONS).includes('--json')
}
