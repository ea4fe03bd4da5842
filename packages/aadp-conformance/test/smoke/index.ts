import { isAadpConformanceError, requirementOf, runConformance } from '@doorplate/aadp-conformance'

export async function smoke(): Promise<boolean> {
  const outcome: unknown = await runConformance('no address').catch((error: unknown) => error)
  return isAadpConformanceError(outcome) && requirementOf('AADP1-HTTP-001')?.level === 'MUST'
}
