import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { TOKEN_GRAMMAR } from '@doorplate/aadp-schemas'
import { CommandError } from './command-error.js'
import {
  configTemplate,
  type Framework,
  GENERATED_MARK,
  honoEntryTemplate,
  nextRouteTemplate,
  nodeEntryTemplate,
  resourceListTemplate,
  resourceTemplate,
  toCamelCase,
  workersEntryTemplate,
} from './scaffold-templates.js'

export interface ScaffoldOptions {
  /** Folder of the project. */
  readonly root: string
  /** Folder of the declaration inside the project. */
  readonly dir: string
  /** Overwrites what is there. */
  readonly force: boolean
}

const CONFIG_FILE = 'aadp.server.ts'
const RESOURCES = 'resources'

/** Writes a declaration with one resource, and the entry of a framework. Returns the files, relative to the project. */
export async function scaffoldInit(
  options: ScaffoldOptions & { readonly framework: Framework },
): Promise<string[]> {
  const { dir, framework } = options
  return writeAll(options, {
    [join(dir, CONFIG_FILE)]: configTemplate(framework),
    [join(dir, RESOURCES, 'page.ts')]: resourceTemplate('page'),
    [join(dir, RESOURCES, 'index.ts')]: resourceListTemplate(['page'], framework),
    ...entryFiles(options, framework),
  })
}

/** Adds a resource beside the declaration, and to the list of resources unless that is the user's own. */
export async function scaffoldAddResource(type: string, options: ScaffoldOptions): Promise<string[]> {
  if (!TOKEN_GRAMMAR.test(type) || type === 'index') {
    throw new CommandError(
      `"${type}" is no type: a lower-case letter, then lower-case letters, digits, _ and -`,
    )
  }
  const folder = join(options.root, options.dir, RESOURCES)
  const others = (await readTypes(folder)).filter((other) => other !== type)
  const twin = others.find((other) => toCamelCase(other) === toCamelCase(type))
  if (twin !== undefined)
    throw new CommandError(`"${type}" and "${twin}" would have the same name in TypeScript`)
  const written = await writeAll(options, {
    [join(options.dir, RESOURCES, `${type}.ts`)]: resourceTemplate(type),
  })
  const list = join(folder, 'index.ts')
  const current = existsSync(list) ? await readFile(list, 'utf8') : GENERATED_MARK
  if (!current.startsWith(GENERATED_MARK)) return written
  const framework = current.includes(`from './`) && !current.includes(`.js'`) ? 'next' : 'node'
  await writeFile(list, resourceListTemplate([...others, type].sort(), framework))
  return [...written, join(options.dir, RESOURCES, 'index.ts')]
}

async function readTypes(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const files = await readdir(folder)
  return files.flatMap((file) => (/^(?!index\.)[a-z0-9_-]+\.ts$/.test(file) ? [file.slice(0, -3)] : []))
}

function entryFiles({ root, dir }: ScaffoldOptions, framework: Framework): Record<string, string> {
  switch (framework) {
    case 'node':
      return { [join(dir, 'main.ts')]: nodeEntryTemplate() }
    case 'hono':
      return { [join(dir, 'app.ts')]: honoEntryTemplate() }
    case 'workers':
      return { [join(dir, 'worker.ts')]: workersEntryTemplate() }
    case 'next': {
      const app = existsSync(join(root, 'src', 'app')) ? join('src', 'app') : 'app'
      const folders = [
        join(app, '.well-known', 'ai-manifest.json'),
        join(app, '.well-known', 'api-catalog'),
        join(app, 'ai', '[...path]'),
        join(app, 'llms.txt'),
      ]
      return Object.fromEntries(
        folders.map((folder) => [
          join(folder, 'route.ts'),
          nextRouteTemplate(importPath(folder, join(dir, 'aadp.server'))),
        ]),
      )
    }
  }
}

function importPath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/')
}

/** All of the files or none. */
async function writeAll(
  { root, force }: ScaffoldOptions,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  const names = Object.keys(files)
  const existing = names.filter((name) => existsSync(join(root, name)))
  if (existing.length > 0 && !force) {
    throw new CommandError(`${existing.join(', ')} exists already; --force overwrites it`)
  }
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), files[name] ?? '')
  }
  return names
}
