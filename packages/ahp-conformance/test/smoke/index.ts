import { isAhpConformanceError, requirementOf, runConformance } from '@doorplate/ahp-conformance'

export async function smoke(): Promise<boolean> {
  const outcome: unknown = await runConformance('no address').catch((error: unknown) => error)
  return isAhpConformanceError(outcome) && requirementOf('AHP01-R-002')?.level === 'MUST'
}
