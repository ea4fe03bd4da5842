import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SETTINGS, type DeclaredSettings } from './declared-settings.js'
import { nearestName } from './nearest-name.js'
import { flagOf, variableOf, WrongValue } from './setting.js'
import type { Settings } from './settings.js'
import { WrongSetting } from './wrong-setting.js'

export interface CommandLine {
  readonly request: 'serve' | 'help' | 'version'
  readonly settings: Settings
}

export interface SettingSources {
  /** What stands behind the name of the program. */
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What relative paths begin at. */
  readonly projectRoot: string
}

type Name = keyof Settings

/** Something that was given, and what it is called where it was. */
interface Given {
  readonly value: unknown
  readonly calledHere: string
}

/** By name, the source that counts most first. */
type Source = (name: Name) => Given | undefined

const NAMES = Object.keys(SETTINGS) as readonly Name[]
const PATHS = ['dataDir', 'tlsCert', 'tlsKey', 'callbackCa'] as const

/** The command line counts more than the environment, and that more than the file. Throws `WrongSetting`. */
export function readSettings({ args, environment, projectRoot }: SettingSources): CommandLine {
  const { flags, config, request } = readFlags(args)
  const file = config === undefined ? {} : readFile(config)
  const sources: readonly Source[] = [
    (name) => given(flags[flagOf(name)], flagOf(name)),
    (name) => given(notEmpty(environment[variableOf(name)]), variableOf(name)),
    (name) => given(Object.hasOwn(file, name) ? file[name] : undefined, `"${name}" in ${config ?? ''}`),
  ]
  const values = Object.fromEntries(
    NAMES.map((name) => [name, valueOf(name, sources)]),
  ) as unknown as Settings
  return { request, settings: consistent({ ...values, ...absolutePaths(values, projectRoot) }) }
}

/** As a program has them that was told nothing. */
export function defaultSettings(projectRoot: string): Settings {
  return readSettings({ args: [], environment: {}, projectRoot }).settings
}

function given(value: unknown, calledHere: string): Given | undefined {
  return value === undefined ? undefined : { value, calledHere }
}

/** An empty variable counts as absent: some tools cannot unset one. */
function notEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

function valueOf(name: Name, sources: readonly Source[]): unknown {
  const { byDefault, read }: DeclaredSettings[Name] = SETTINGS[name]
  for (const source of sources) {
    const found = source(name)
    if (found === undefined) continue
    const value = read(found.value)
    if (value instanceof WrongValue) throw new WrongSetting(`${found.calledHere} ${value.reason}.`)
    return value
  }
  return byDefault
}

interface Flags {
  readonly request: CommandLine['request']
  readonly config: string | undefined
  /** By flag. */
  readonly flags: Readonly<Record<string, string>>
}

function readFlags(args: readonly string[]): Flags {
  const known = ['--config', ...NAMES.filter((name) => !SETTINGS[name].isSecret).map(flagOf)]
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'v' },
      ...Object.fromEntries(known.map((flag) => [flag.slice(2), { type: 'string' as const }])),
    },
    strict: false,
    tokens: true,
  })
  const flags: Record<string, string> = {}
  let request: Flags['request'] = 'serve'
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional')
      throw new WrongSetting(`There is nothing that ${JSON.stringify(token.value)} could mean. Try --help.`)
    const { name, rawName, value } = token
    if (name === 'help' || name === 'version') request = name
    else if (!known.includes(rawName)) throw unknownFlag(rawName, known)
    else if (value === undefined) throw new WrongSetting(`${rawName} needs a value. Try --help.`)
    else flags[rawName] = value
  }
  return { request, config: flags['--config'], flags }
}

function unknownFlag(flag: string, known: readonly string[]): WrongSetting {
  const secret = NAMES.find((name) => SETTINGS[name].isSecret && flagOf(name) === flag)
  if (secret !== undefined)
    return new WrongSetting(
      `${flag} is not taken from the command line, which others can read: set ${variableOf(secret)}, or "${secret}" in a file.`,
    )
  return new WrongSetting(`There is no ${flag}.${meant(flag, known)} Try --help.`)
}

function readFile(file: string): Readonly<Record<string, unknown>> {
  const content = parsed(readText(file))
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new WrongSetting(`--config ${file} cannot be used: it must hold one JSON object.`)
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(SETTINGS, name))
  if (unknown !== undefined)
    throw new WrongSetting(
      `There is no setting ${JSON.stringify(unknown)} (in ${file}).${meant(unknown, NAMES)}`,
    )
  return content as Readonly<Record<string, unknown>>
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new WrongSetting(`--config ${file} cannot be used: ${code}.`)
  }
}

/** What the parser complains of repeats the text, which may hold secrets. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function meant(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

function absolutePaths(values: Settings, projectRoot: string): Partial<Settings> {
  return Object.fromEntries(
    PATHS.flatMap((name) => {
      const path = values[name]
      return path === undefined ? [] : [[name, resolve(projectRoot, path)]]
    }),
  )
}

function consistent(settings: Settings): Settings {
  const { tlsCert, tlsKey, callbackSecret } = settings
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new WrongSetting('TLS_CERT and TLS_KEY go together: give both or none.')
  if (callbackSecret === undefined && settings.callbackCa !== undefined)
    throw new WrongSetting('CALLBACK_CA is of no use without CALLBACK_SECRET.')
  return settings
}
