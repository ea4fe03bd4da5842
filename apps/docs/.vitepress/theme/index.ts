import type { DefaultTheme, SiteData, Theme } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import NotFound from './not-found.vue'
import { searchOptions } from './search-options.js'
import './style.css'

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp({ siteData }) {
    // Functions in the configuration would reach the browser as text to be evaluated.
    const site = siteData.value as SiteData<DefaultTheme.Config>
    const search = { provider: 'local', options: { miniSearch: { searchOptions } } } as const
    siteData.value = { ...site, themeConfig: { ...site.themeConfig, search } }
  },
} satisfies Theme
