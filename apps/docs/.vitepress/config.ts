import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { firstSentence } from './first-sentence.js'
import { codeTheme, colourByClass } from './highlight.js'
import { notFound, withNotFound } from './not-found.js'
import { withKeywords } from './search.js'
import { sidebar } from './sidebar.js'
import { titleTemplate } from './title-template.js'

const REPOSITORY = 'https://github.com/doorplate/doorplate'
const REGION_MARK = /^ *\/\/ #(end)?region.*\n/gm

export default defineConfig({
  srcDir: 'site',
  title: 'Doorplate',
  description: 'Small packages that let an application be found, read and asked by AI agents.',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  lastUpdated: false,
  // A page is fetched when somebody goes there.
  router: { prefetchLinks: false },
  metaChunk: true,
  transformPageData: (page, { siteConfig }) => {
    const source = page.frontmatter.source as string | undefined
    page.filePath = source ?? `apps/docs/site/${page.filePath}`
    // What is made of code and results has no text to improve.
    if (source === undefined && page.relativePath.startsWith('reference/')) page.frontmatter.editLink = false
    page.titleTemplate ??= titleTemplate(page.relativePath) ?? ':title | Doorplate'
    page.description ||= firstSentence(readFileSync(join(siteConfig.srcDir, page.relativePath), 'utf8'))
  },
  transformHtml: (html, _file, { page }) => (page === '404.md' ? withNotFound(html) : undefined),
  markdown: {
    theme: codeTheme,
    codeTransformers: [colourByClass],
    config: ({ options }) => {
      const { highlight } = options
      // A part of an example may be marked for a README; a page that shows the whole does not show the marks.
      options.highlight = (code, ...rest) => highlight?.(code.replaceAll(REGION_MARK, ''), ...rest) ?? ''
    },
  },
  vue: { features: { optionsAPI: false } },
  // Pictures are files, and no part of the page.
  vite: { resolve: { alias: unusedParts() }, build: { assetsInlineLimit: 0 } },
  themeConfig: {
    logo: '/favicon.svg',
    search: { provider: 'local', options: { _render: withKeywords } },
    nav: [
      { text: 'Guides', link: '/guides/', activeMatch: '^/guides/' },
      { text: 'Concepts', link: '/concepts/', activeMatch: '^/concepts/' },
      { text: 'Reference', link: '/reference/packages/', activeMatch: '^/reference/' },
    ],
    sidebar,
    outline: [2, 3],
    externalLinkIcon: false,
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Improve this page' },
    notFound,
    footer: { message: 'MIT License. This site asks no other server for anything.' },
  },
})

/** Parts of the default theme that no page shows would be in the scripts and styles of every page. */
function unusedParts(): { find: RegExp; replacement: string }[] {
  const inTheme = (file: string): string => fileURLToPath(new URL(`./theme/${file}`, import.meta.url))
  const components =
    /^.*\/(VPHome\w*|VPFeatures|VPSponsors|VPDocAsideSponsors|VPTeam\w+|VP\w*CarbonAds|VPAlgoliaSearchBox|NotFound)\.vue$/
  return [
    { find: components, replacement: inTheme('empty.vue') },
    // The last of these would colour code by attributes that ours does not have.
    {
      find: /^.*\/(vp-sponsor|custom-block|vp-code)\.css$|^@docsearch\/css$/,
      replacement: inTheme('empty.css'),
    },
  ]
}
