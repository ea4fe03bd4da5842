import { defineManifest, linkHeader, validateManifest } from '@doorplate/ahp-manifest'

export function smoke(): boolean {
  const manifest = defineManifest({
    name: 'Shelf',
    content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  })
  return validateManifest(manifest).valid && linkHeader().includes('ahp-manifest')
}
