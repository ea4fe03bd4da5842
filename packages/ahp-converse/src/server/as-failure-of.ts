import { type FaultStage, StageFailure } from './fault.js'

/** Takes a step whose failures are those of a stage. */
export async function asFailureOf<Result>(
  stage: FaultStage,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw new StageFailure(stage, error)
  }
}
