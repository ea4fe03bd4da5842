/** How the house is built, the decisions that shaped it, and the program made of all of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'
import { decisions, repositoryPage } from './repository-page.js'

const PICTURE = 'house.svg'

/** @returns {import('./repository-page.js').Page[]} */
export function projectPages() {
  return [
    repositoryPage('docs/architecture.md'),
    repositoryPage('apps/reference-server/README.md'),
    ...decisions.map((file) => repositoryPage(`docs/decisions/${file}`)),
    {
      path: `reference/project/${PICTURE}`,
      text: readFileSync(join(projectRoot, 'docs', PICTURE), 'utf8'),
    },
  ]
}
