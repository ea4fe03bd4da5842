import { createCssVariablesTheme, type ShikiTransformer, type ThemeRegistration } from 'shiki'

/** Colours by name, so that pages carry no colours and one style serves light and dark. */
export const codeTheme: ThemeRegistration = createCssVariablesTheme({
  name: 'doorplate',
  variablePrefix: '--code-',
})

/** What has the colour of text. */
const PLAIN = ['foreground', 'punctuation', 'parameter']

/** `style="color:var(--code-token-string)"` becomes `class="string"`; plain text needs nothing. */
export const colourByClass: ShikiTransformer = {
  name: 'colour-by-class',
  span(node) {
    const name = /^color:var\(--code-(?:token-)?([\w-]+)\)$/.exec(String(node.properties.style))?.[1]
    if (name === undefined) return
    delete node.properties.style
    if (!PLAIN.includes(name)) node.properties.class = `c-${name}`
  },
}
