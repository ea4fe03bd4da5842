import type { DefaultTheme } from 'vitepress'

type Render = NonNullable<DefaultTheme.LocalSearchOptions['_render']>

/** A keyword counts as a word that the text is about, and not as one that it mentions. */
const TIMES = 3

/** What the search knows of a page: its text, and under its title the `keywords` by which newcomers look for it. */
export const withKeywords: Render = (markdown, env, renderer) => {
  const html = renderer.render(markdown, env)
  const { keywords = [] } = (env.frontmatter ?? {}) as { readonly keywords?: readonly string[] }
  const said = Array<string>(TIMES).fill(keywords.join(', ')).join(', ')
  return html.replace('</h1>', () => `</h1><p>${renderer.utils.escapeHtml(said)}</p>`)
}
