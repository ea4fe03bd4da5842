import { EXIT_CODES } from '../exit-code.js'
import type { CliOption } from './command-line.js'

/** Options that every runner has. */
export const RUNNER_OPTIONS: readonly CliOption[] = [
  {
    name: 'only',
    kind: 'list',
    value: '<id>',
    help: 'run this check and what it needs; http.* for a branch; repeatable',
  },
  {
    name: 'skip',
    kind: 'list',
    value: '<id>',
    help: 'leave this check out, and what needs it; http.* for a branch; repeatable',
  },
  { name: 'list', kind: 'flag', help: 'list the checks and stop' },
  { name: 'explain', kind: 'text', value: '<id>', help: 'say all about one check and stop' },
  { name: 'fail-on-warning', kind: 'flag', help: 'count warnings as failures' },
  { name: 'json', kind: 'flag', help: 'print the JSON report and nothing else' },
  { name: 'output', kind: 'text', value: '<file>', help: 'write the JSON report' },
  { name: 'junit', kind: 'text', value: '<file>', help: 'write a JUnit report' },
  { name: 'sarif', kind: 'text', value: '<file>', help: 'write a SARIF report' },
  {
    name: 'sarif-artifact',
    kind: 'text',
    value: '<path>',
    help: 'file of your repository that SARIF results are attached to',
  },
  { name: 'markdown', kind: 'text', value: '<file>', help: 'write a Markdown report' },
  { name: 'request-log', kind: 'text', value: '<file>', help: 'write every request as a line of JSON' },
  { name: 'quiet', kind: 'flag', help: 'print only what did not pass' },
  { name: 'progress', kind: 'flag', help: 'tell the progress on stderr even where that is no terminal' },
  { name: 'color', kind: 'flag', help: 'use colours even where the output is no terminal' },
  { name: 'no-color', kind: 'flag', help: 'use no colours' },
  { name: 'help', kind: 'flag', help: 'print this text' },
  { name: 'version', kind: 'flag', help: 'print the version of this program' },
]

/** Options about the network, for runners that take them. */
export const NETWORK_OPTIONS: readonly CliOption[] = [
  {
    name: 'header',
    kind: 'list',
    value: "'N: v'",
    help: "header field for the target's own origin; repeatable",
  },
  {
    name: 'cross-origin-safe-header',
    kind: 'list',
    value: '<name>',
    help: 'header of yours that other origins may see too; repeatable',
  },
  { name: 'allow-private-network', kind: 'flag', help: "let the target's own host be a private one" },
  {
    name: 'dangerously-allow',
    kind: 'list',
    value: '<host>',
    help: 'another host, host:port or CIDR block that may be private; repeatable',
  },
  {
    name: 'ca',
    kind: 'list',
    value: '<file>',
    help: 'certificate authority to trust besides the known ones, as PEM; repeatable',
  },
  { name: 'timeout', kind: 'integer', value: '<ms>', help: 'time for one request' },
  { name: 'max-redirects', kind: 'integer', value: '<n>', help: 'redirects followed for one request' },
  { name: 'max-response-bytes', kind: 'integer', value: '<n>', help: 'bytes of one response' },
  { name: 'max-requests', kind: 'integer', value: '<n>', help: 'requests of the whole run' },
  { name: 'max-total-bytes', kind: 'integer', value: '<n>', help: 'bytes of all responses together' },
  { name: 'deadline', kind: 'integer', value: '<ms>', help: 'time for the whole run' },
]

/** A note on usage, for commands that read a URL by `withScheme` of `@doorplate/safe-fetch`. */
export const SCHEME_HELP =
  'A URL without a scheme is one of https, and of http on this machine (localhost:3000).'

/** The part of the help about exit codes. */
export const EXIT_CODE_HELP: string = [
  'Exit codes:',
  `  ${EXIT_CODES.passed}  passed`,
  `  ${EXIT_CODES.failed}  a check failed (or warned, with --fail-on-warning)`,
  `  ${EXIT_CODES.notPerformed}  not performed: wrong command line, unreachable site, report that could not be written`,
  `  ${EXIT_CODES.cannotJudge}  cannot judge: the site speaks another protocol version, or the runner broke`,
  `  ${EXIT_CODES.inconclusive}  inconclusive: cut short, or not enough was seen`,
  '',
].join('\n')
