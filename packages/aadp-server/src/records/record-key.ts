import { OperationFailure } from '../errors/fault.js'
import { requireSynchronous } from './require-synchronous.js'
import type { RecordIdentity, Resource } from '../config/resource-config.js'

/** A record in one state, as its `identify` tells it. */
export interface RecordKey {
  readonly name: string
  readonly version: string | number
}

/** `undefined` when the resource does not identify records. Throws `OperationFailure`. */
export function readRecordKey(resource: Resource, record: unknown): RecordKey | undefined {
  if (resource.identify === undefined) return undefined
  try {
    const identity = requireSynchronous(resource.identify(record), 'identify')
    const version = versionOf(identity)
    if (version !== undefined) return { name: identity.name, version }
    throw new TypeError('identify must give a version or updatedAt')
  } catch (error) {
    throw new OperationFailure(error, 'serialize', { type: resource.type })
  }
}

/** The keys of the records of a page, by columns: comparing them is most of the work for an unchanged page. */
export interface RecordKeys {
  readonly names: readonly string[]
  readonly versions: readonly (string | number)[]
}

/** True when `identify` gives exactly these keys for these records again. */
export function hasRecordKeys(
  resource: Resource,
  records: readonly unknown[],
  { names, versions }: RecordKeys,
): boolean {
  if (resource.identify === undefined || names.length !== records.length) return false
  try {
    for (let index = 0; index < records.length; index++) {
      const identity = resource.identify(records[index])
      if (identity.name !== names[index] || versionOf(identity) !== versions[index]) return false
    }
    return true
  } catch {
    return false
  }
}

function versionOf({ version, updatedAt }: RecordIdentity): string | number | undefined {
  if (version !== undefined) return version
  return typeof updatedAt === 'object' ? updatedAt.getTime() : updatedAt
}
