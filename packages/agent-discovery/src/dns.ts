export {
  parseAidRecord,
  parseAidRecords,
  type AidRecord,
  type AidProblem,
  type AidResult,
} from './dns/aid-record.js'
export { parseSvcbRecord, type SvcbRecord } from './dns/svcb-record.js'
export {
  lookupAgentRecords,
  readBinding,
  type AgentRecords,
  type DnsResolver,
  type DnsAidRecord,
} from './dns/lookup-agent-records.js'
