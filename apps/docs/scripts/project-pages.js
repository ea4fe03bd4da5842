/** How the house is built, and the decisions that shaped it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'
import { decisions, repositoryPage } from './repository-page.js'

const PICTURE = 'house.svg'

/** @returns {import('./repository-page.js').Page[]} */
export function projectPages() {
  return [
    repositoryPage('docs/architecture.md'),
    ...decisions.map((file) => repositoryPage(`docs/decisions/${file}`)),
    {
      path: `reference/project/${PICTURE}`,
      text: readFileSync(join(projectRoot, 'docs', PICTURE), 'utf8'),
    },
  ]
}
