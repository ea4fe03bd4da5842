import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { codeTheme, colourByClass } from './highlight.js'
import { sidebar } from './sidebar.js'

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
  transformPageData: (page) => {
    const source = page.frontmatter.source as string | undefined
    page.filePath = source ?? `apps/docs/site/${page.filePath}`
  },
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
    search: { provider: 'local' },
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
    footer: { message: 'MIT License. This site asks no other server for anything.' },
  },
})

/** Parts of the default theme that no page shows would be in the scripts and styles of every page. */
function unusedParts(): { find: RegExp; replacement: string }[] {
  const inTheme = (file: string): string => fileURLToPath(new URL(`./theme/${file}`, import.meta.url))
  const components =
    /^.*\/(VPHome\w*|VPFeatures|VPSponsors|VPDocAsideSponsors|VPTeam\w+|VP\w*CarbonAds|VPAlgoliaSearchBox)\.vue$/
  return [
    { find: components, replacement: inTheme('empty.vue') },
    // The last of these would colour code by attributes that ours does not have.
    {
      find: /^.*\/(vp-sponsor|custom-block|vp-code)\.css$|^@docsearch\/css$/,
      replacement: inTheme('empty.css'),
    },
  ]
}
