/** The README of each package, and the longer texts beside it. */
import { packages } from './project.js'
import { repositoryPage } from './repository-page.js'

/** @returns {import('./repository-page.js').Page[]} */
export function packagePages() {
  const pages = packages.flatMap(({ folder, texts }) => [
    repositoryPage(`packages/${folder}/README.md`),
    ...texts.map((text) => repositoryPage(`packages/${folder}/docs/${text}.md`)),
  ])
  return [packageIndex(), notOnNpm(), ...pages]
}

/**
 * A paragraph for who would install what is not released yet, empty from the first release on.
 * @returns {import('./repository-page.js').Page}
 */
function notOnNpm() {
  const isReleased = packages.some(({ version }) => version !== '0.0.0')
  const text = `**No package is on npm yet.** Until the first release, \`npm install @doorplate/…\` and \`npx @doorplate/…\` find nothing there. In a clone of the project, once
\`npm test\` has built them, \`npx pnpm --dir packages/<folder> pack\` makes an archive of one, and \`npm install <archives>\` takes it together with those that it depends on.
`
  return { path: 'reference/not-on-npm.txt', text: isReleased ? '' : text }
}

/** @returns {import('./repository-page.js').Page} */
function packageIndex() {
  const rows = packages.map(
    ({ folder, description }) => `| [${folder}](/reference/packages/${folder}.md) | ${description} |`,
  )
  return {
    path: 'reference/packages/index.md',
    text: `# Packages

Each is installed by itself, as \`@doorplate/<name>\`, and has its own version.

| package | what it is for |
| --- | --- |
${rows.join('\n')}

${notOnNpm().text}
Also: the [reference server](/reference/reference-server.md) that is made of all of them, the [specifications](/reference/spec/index.md), the [commands](/reference/cli/index.md), the [API](/reference/api/index.md), all
[error codes](/reference/errors.md), and the [benchmarks](/reference/benchmarks.md).
`,
  }
}
