import { checkManifestSemantics, hasSemanticErrors, validateDocument } from '@doorplate/aadp-schemas'

const manifest = {
  aadp_version: '1.0',
  application: {
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publisher: { name: 'Shelf Press', url: 'https://books.test/about' },
  },
  discovery: { sitemap_index: 'https://books.test/ai/sitemap-index.json' },
  policies: { robots: 'https://books.test/robots.txt', terms: 'ftp://books.test/terms' },
}

const { valid, issues } = validateDocument({ version: '1.0', kind: 'manifest', data: manifest })
console.log('valid:', valid, issues)

const findings = checkManifestSemantics(manifest)
console.log('has errors:', hasSemanticErrors(findings), findings[0]?.code, findings[0]?.path)
