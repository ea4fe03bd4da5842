import type { Finding } from '@doorplate/conformance-kit'
import { rule } from '../../requirements.js'
import { manifestLinks } from '../manifest-links.js'
import type { Reading } from '../reading.js'

/** What is wrong with the way to the manifest that a response names. */
export function linkFindings({ url, headers, status }: Reading): readonly Finding[] {
  const links = manifestLinks(headers['link'] ?? '')
  if (links.length > 0)
    return links.some((link) => link.isRight) ? [] : [linkFinding('R-006', url, LINK_FORM)]
  return [
    linkFinding(
      'R-005',
      url,
      `The response with status ${String(status)} has no Link field that leads to the manifest.`,
    ),
  ]
}

const LINK_FORM = 'The Link field lacks rel="ahp-manifest" or type="application/agent+json".'

function linkFinding(number: string, url: string, message: string): Finding {
  return { requirement: rule(number), url, message }
}
