/** The README of each package, and the longer texts beside it. */
import { packages } from './project.js'
import { repositoryPage } from './repository-page.js'

/** @returns {import('./repository-page.js').Page[]} */
export function packagePages() {
  const pages = packages.flatMap(({ folder, texts }) => [
    repositoryPage(`packages/${folder}/README.md`),
    ...texts.map((text) => repositoryPage(`packages/${folder}/docs/${text}.md`)),
  ])
  return [packageIndex(), ...pages]
}

/** @returns {import('./repository-page.js').Page} */
function packageIndex() {
  const rows = packages.map(
    ({ folder, description }) => `| [${folder}](/reference/packages/${folder}.md) | ${description} |`,
  )
  return {
    path: 'reference/packages/index.md',
    text: `---
editLink: false
---

# Packages

Each is installed by itself, as \`@doorplate/<name>\`, and has its own version.

| package | what it is for |
| --- | --- |
${rows.join('\n')}

Also: the [specifications](/reference/spec/index.md), the [commands](/reference/cli/index.md), the [API](/reference/api/index.md), all
[error codes](/reference/errors.md), and the [benchmarks](/reference/benchmarks.md).
`,
  }
}
