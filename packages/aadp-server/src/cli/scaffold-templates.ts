/** Frameworks that `aadp init` writes an entry for. */
export const FRAMEWORKS = ['node', 'next', 'hono', 'workers'] as const
export type Framework = (typeof FRAMEWORKS)[number]

/** First line of a file that `aadp` may write anew. */
export const GENERATED_MARK = '// Written by `aadp add-resource`: it lists the resources of this folder.'

/** How a module names its neighbour: bundlers of Next.js want no extension, Node wants one. */
function importExtension(framework: Framework): '' | '.js' {
  return framework === 'next' ? '' : '.js'
}

export function configTemplate(framework: Framework): string {
  const baseUrl =
    framework === 'workers'
      ? `'http://localhost:8787'`
      : `process.env['PUBLIC_URL'] ?? 'http://localhost:3000'`
  return `import { defineAADP } from '@doorplate/aadp-server'
import { resources } from './resources/index${importExtension(framework)}'

/** Where this application is found, never taken from a request. */
const baseUrl = ${baseUrl}

export const aadp = defineAADP({
  baseUrl,
  application: {
    name: 'My application',
    description: 'One or two sentences about what it is.',
    publisher: { name: 'My name', url: baseUrl },
  },
  policies: { robots: \`\${baseUrl}/robots.txt\`, terms: \`\${baseUrl}/terms\` },
  resources,
})
`
}

export function resourceTemplate(type: string): string {
  const name = toCamelCase(type)
  return `import { createCollection, defineResource } from '@doorplate/aadp-server'

interface ${capitalize(name)} {
  slug: string
  title: string
  updatedAt: Date
}

/** Replace the records in memory by your own \`list\` and \`get\` when they come from a database. */
const records = createCollection<${capitalize(name)}>(
  [{ slug: 'example', title: 'An example', updatedAt: new Date('2026-01-01T00:00:00Z') }],
  { name: (record) => record.slug },
)

export const ${name} = defineResource<${capitalize(name)}>({
  type: '${type}',
  ...records,
  identify: ({ slug, updatedAt }) => ({ name: slug, updatedAt }),
  serialize: ({ slug, title, updatedAt }) => ({ id: \`${type}:\${slug}\`, updatedAt, data: { title } }),
})
`
}

/** @param types in the order in which they are published */
export function resourceListTemplate(types: readonly string[], framework: Framework): string {
  const imports = types.map(
    (type) => `import { ${toCamelCase(type)} } from './${type}${importExtension(framework)}'`,
  )
  return `${GENERATED_MARK}
import type { Resource } from '@doorplate/aadp-server'
${imports.join('\n')}

export const resources: Resource[] = [${types.map(toCamelCase).join(', ')}]
`
}

export function nodeEntryTemplate(): string {
  return `import { createServer } from 'node:http'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { aadp } from './aadp.server.js'

const port = Number(process.env['PORT'] ?? 3000)
createServer(toNodeListener(aadp)).listen(port, () => {
  console.log(\`http://localhost:\${port}/.well-known/ai-manifest.json\`)
})
`
}

export function honoEntryTemplate(): string {
  return `import { Hono } from 'hono'
import { aadp } from './aadp.server.js'

const app = new Hono()

app.use(async (context, next) =>
  aadp.matches(context.req.url) ? aadp.handleRequest(context.req.raw) : next(),
)

export default app
`
}

export function workersEntryTemplate(): string {
  return `import { aadp } from './aadp.server.js'

export default {
  fetch: (request: Request): Promise<Response> => aadp.handleRequest(request),
}
`
}

/** @param configImport how the route finds the declaration */
export function nextRouteTemplate(configImport: string): string {
  return `import { aadp } from '${configImport}'

export const dynamic = 'force-dynamic'

function handle(request: Request): Promise<Response> {
  return aadp.handleRequest(request)
}

export { handle as DELETE, handle as GET, handle as HEAD, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT }
`
}

/** `release-note` becomes `releaseNote`; a name that TypeScript keeps for itself gets a tail. */
export function toCamelCase(type: string): string {
  const name = type.replace(/[-_]+(.?)/g, (_match, letter: string) => letter.toUpperCase())
  return RESERVED_NAMES.has(name) ? `${name}Resource` : name
}

/** Reserved words, and the names that the templates use themselves. */
const RESERVED_NAMES = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield ' +
    'records resources record resource defineResource createCollection ' +
    'array boolean date error map number object promise proxy set string symbol'
  ).split(' '),
)

function capitalize(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
