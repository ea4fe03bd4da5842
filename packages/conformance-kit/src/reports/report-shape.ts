type Test = (value: unknown) => boolean

const isText: Test = (value) => typeof value === 'string'
const isFlag: Test = (value) => typeof value === 'boolean'
const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isLevel = oneOf('MUST', 'SHOULD', 'MAY')

const isFinding = shaped(
  { level: oneOf('error', 'warning', 'note'), requirement: isText, message: isText },
  { url: isText, pointer: isText, reproduce: isText },
)

const isCheckResult = shaped(
  {
    id: isText,
    group: isText,
    title: isText,
    level: isLevel,
    requirements: listOf(isText),
    status: oneOf('passed', 'failed', 'warning', 'skipped', 'inconclusive'),
    duration_ms: isCount,
    requests: isCount,
    findings: listOf(isFinding),
    finding_count: isCount,
  },
  { message: isText, hint: isText },
)

/** Whether a value has the members of a report, of the types that `report.schema.json` gives them. */
export const isReport: Test = shaped(
  {
    report_version: oneOf('2'),
    protocol: isText,
    protocol_version: isText,
    base_url: isText,
    runner: shaped({ name: isText, version: isText }),
    started_at: isText,
    finished_at: isText,
    duration_ms: isCount,
    status: oneOf('passed', 'failed', 'inconclusive'),
    complete: isFlag,
    fail_on_warning: isFlag,
    settings: mapOf((value) => ['string', 'number', 'boolean'].includes(typeof value)),
    requests: shaped({ count: isCount, bytes: isCount }),
    summary: shaped({
      total: isCount,
      passed: isCount,
      failed: isCount,
      warnings: isCount,
      skipped: isCount,
      inconclusive: isCount,
    }),
    checks: listOf(isCheckResult),
    requirements: mapOf(shaped({ level: isLevel, text: isText })),
  },
  {
    profile: isText,
    fatal: shaped({ code: oneOf('unreachable', 'unsupported_version', 'internal_error'), message: isText }),
  },
)

function oneOf(...values: readonly string[]): Test {
  return (value) => values.includes(value as string)
}

function listOf(test: Test): Test {
  return (value) => Array.isArray(value) && value.every((member) => test(member))
}

function mapOf(test: Test): Test {
  return (value) => isObject(value) && Object.values(value).every((member) => test(member))
}

/** Members that are neither required nor optional are of no concern. */
function shaped(
  required: Readonly<Record<string, Test>>,
  optional: Readonly<Record<string, Test>> = {},
): Test {
  const isThere = (value: object, [name, test]: readonly [string, Test]): boolean =>
    Object.hasOwn(value, name) && test((value as Record<string, unknown>)[name])
  return (value) =>
    isObject(value) &&
    Object.entries(required).every((member) => isThere(value, member)) &&
    Object.entries(optional).every((member) => !Object.hasOwn(value, member[0]) || isThere(value, member))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
