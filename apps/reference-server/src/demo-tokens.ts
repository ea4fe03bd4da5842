import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.js'

/** Secrets of the demonstration, made at the first start and kept. */
export interface DemoTokens {
  /** Of a customer: bearer token for orders and quotes. */
  readonly customer: string
  /** Of the person at the desk. */
  readonly operator: string
  /** Signs what this server gives itself to prove who visits its pages. */
  readonly site: string
}

const NAMES = ['customer', 'operator', 'site'] as const

/** Reads `tokens.json` in `folder`, or makes it, readable by its owner alone. Throws `StartError` for what is not one. */
export async function openDemoTokens(folder: string): Promise<DemoTokens> {
  const file = join(folder, 'tokens.json')
  const made = { customer: secret('customer'), operator: secret('operator'), site: secret('site') }
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(draft, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600 })
    await link(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new StartError(`${file} cannot be written: ${code ?? 'unknown'}.`)
  } finally {
    await rm(draft, { force: true })
  }
  return read(file)
}

function secret(name: string): string {
  return `${name}-${randomBytes(24).toString('base64url')}`
}

async function read(file: string): Promise<DemoTokens> {
  const kept = await readFile(file, 'utf8').then(parsed, (error: unknown) => {
    throw new StartError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`)
  })
  if (NAMES.every((name) => typeof kept[name] === 'string' && kept[name].length >= 24))
    return kept as unknown as DemoTokens
  throw new StartError(`${file} is damaged. Delete it to have new tokens made.`)
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}
