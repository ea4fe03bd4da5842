import { StageFailure } from './fault.js'

/** Takes a step of a store, whose failures are told from those of whoever answers. */
export async function asFailureOfState<Result>(step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw new StageFailure('state', error)
  }
}
