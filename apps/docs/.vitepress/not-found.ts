/** What is said where there is no page. */
export const notFound = {
  title: 'There is no such page',
  quote: 'It may have moved when the documentation was put in order.',
  linkText: 'How do I …?',
}

/** The same for browsers without scripts, as the page is made by them. */
export function withNotFound(html: string): string {
  const { title, quote, linkText } = notFound
  return html.replace(
    '<div id="app"></div>',
    `$&<noscript><main><h1>${title}</h1><p>${quote}</p><p><a href="/guides/">${linkText}</a></p></main></noscript>`,
  )
}
