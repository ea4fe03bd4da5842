/** The public API as TypeDoc reads it from the declarations that users install. */
import { join } from 'node:path'
import { Application } from 'typedoc'
import { packages } from './project.js'

/**
 * @typedef {object} ApiModel
 * @property {import('typedoc').Application} app
 * @property {import('typedoc').ProjectReflection} project
 * @property {import('typescript').Program} program
 * @property {readonly string[]} problems undocumented exports, dangling links
 */

const SCOPE = '@doorplate/'

/** @returns {Promise<ApiModel>} */
export async function loadApi() {
  const entries = packages.flatMap((one) => one.entries)
  const app = await Application.bootstrapWithPlugins(
    /** @type {Record<string, unknown>} */ ({
      entryPoints: entries.map(({ types }) => types),
      tsconfig: join(import.meta.dirname, '../tsconfig.api.json'),
      plugin: ['typedoc-plugin-markdown'],
      disableGit: true,
      disableSources: true,
      skipErrorChecking: true,
      readme: 'none',
      excludeExternals: true,
      logLevel: 'Error',
      packagesRequiringDocumentation: packages.map(({ name }) => name),
      requiredToBeDocumented: ['Enum', 'Class', 'Interface', 'TypeAlias', 'Variable', 'Function'],
      validation: { notExported: false, invalidLink: true, notDocumented: true },
      router: 'module',
      entryFileName: 'index',
      modulesFileName: 'index',
      excludeScopesInPaths: true,
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: false,
      useCustomAnchors: true,
      groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables'],
      sanitizeComments: true,
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      classPropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      propertyMembersFormat: 'table',
      typeDeclarationFormat: 'table',
      enumMembersFormat: 'table',
      tableColumnSettings: {
        hideSources: true,
        hideInherited: true,
        hideModifiers: true,
        hideOverrides: true,
      },
      publicPath: '/reference/api/',
    }),
  )
  const problems = collectProblems(app)
  const points = app.getEntryPoints() ?? []
  const project = app.converter.convert(points)
  const program = points[0]?.program
  if (program === undefined) throw new Error('nothing to document: build the packages first')
  for (const module of project.children ?? []) module.name = specifierOf(module.name)
  app.validate(project)
  return {
    app,
    project,
    program,
    problems: problems.filter((problem) => !MEMBER.test(problem)),
  }
}

/** Members of types say by their names what they are; TypeDoc counts those that are functions as exports. */
const MEMBER = /\((CallSignature|Property)\)/

/**
 * TypeDoc names a module by its file.
 * @param {string} name
 */
function specifierOf(name) {
  const entry = packages
    .flatMap((one) => one.entries)
    .find(({ types }) => [`${name}.d.ts`, `${name}/index.d.ts`].some((file) => types.endsWith(`/${file}`)))
  if (entry === undefined) throw new Error(`${name} is no entry of a package`)
  return entry.specifier.slice(SCOPE.length)
}

/**
 * @param {import('typedoc').Application} app
 * @returns {string[]}
 */
function collectProblems(app) {
  /** @type {string[]} */
  const problems = []
  const warn = app.logger.warn.bind(app.logger)
  app.logger.validationWarning = (message) => problems.push(message)
  app.logger.warn = (/** @type {string} */ message) => {
    problems.push(message)
    return warn
  }
  return problems
}
