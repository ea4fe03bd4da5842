import { OperationFailure } from './fault.js'
import type { Resource } from './resource-config.js'

/** A record in one state, as its `identify` tells it. */
export interface RecordKey {
  readonly id: string
  readonly version: string | number
}

/** `undefined` when the resource does not identify records. Throws `OperationFailure`. */
export function readRecordKey(resource: Resource, record: unknown): RecordKey | undefined {
  if (resource.identify === undefined) return undefined
  try {
    const { id, version, updatedAt } = resource.identify(record)
    const state = version ?? (updatedAt instanceof Date ? updatedAt.getTime() : updatedAt)
    if (state !== undefined) return { id, version: state }
    throw new TypeError('identify must give a version or updatedAt')
  } catch (error) {
    throw new OperationFailure(error, 'serialize', { type: resource.type })
  }
}

/** True when `identify` gives exactly this key again. */
export function hasRecordKey(resource: Resource, record: unknown, { id, version }: RecordKey): boolean {
  try {
    const key = readRecordKey(resource, record)
    return key?.id === id && key.version === version
  } catch {
    return false
  }
}
