/** All codes of errors in one place. */

/**
 * @param {readonly import('./error-codes.js').PackageErrors[]} errors
 * @returns {import('./repository-page.js').Page}
 */
export function errorPage(errors) {
  const sections = errors.map(({ package: { folder }, codes }) => {
    const rows = codes.map(
      ({ code, meaning = '' }) =>
        `| <a id="${folder}-${code}" href="#${folder}-${code}">\`${code}\`</a> | ${meaning} |`,
    )
    const types = [...new Set(codes.flatMap(({ unions }) => unions))].map((name) => `\`${name}\``)
    return `## ${folder}

From ${types.join(', ')} of [@doorplate/${folder}](/reference/packages/${folder}.md).

| code | when |
| --- | --- |
${rows.join('\n')}
`
  })
  return {
    path: 'reference/errors.md',
    text: `---
pageClass: stacked
---

# Error codes

Every failure has a stable \`code\`. Each family has a guard, such as \`isSafeFetchError(value)\`, that recognises its errors from whichever
installed copy of the package; with a \`code\` as well where the guard takes one. An abort rejects with the signal's own reason instead. What
goes over the wire is data and not thrown: see the [specifications](/reference/spec/index.md).

${sections.join('\n')}`,
  }
}
