export { checkReadiness, type ReadinessOptions } from './readiness/check-readiness.js'
export { READINESS_CHECKS } from './readiness/checks.js'
export { requirementOf } from './readiness/requirements.js'
