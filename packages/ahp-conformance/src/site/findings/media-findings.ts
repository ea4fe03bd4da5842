import type { Finding } from '@doorplate/conformance-kit'
import { ownMember } from '../../own-member.js'
import { rule } from '../../requirements.js'
import { findText } from '../find-text.js'
import type { Reading } from '../reading.js'

/** Whether an answer holds the bytes of media: a data URL, or Base64 of a kilobyte and more. */
export function mediaFindings({ json, url }: Reading): readonly Finding[] {
  const inline = findText(ownMember(json, 'response'), isBytes, '/response')
  if (inline === undefined) return []
  return [
    {
      requirement: rule('R-064'),
      url,
      pointer: inline.pointer,
      message: 'Media are embedded; they are given by URL.',
    },
  ]
}

/** Words about data URLs are none: such a URL is a text of its own, or an image of Markdown. */
function isBytes(text: string): boolean {
  return (
    /(^|!\[[^\]]{0,200}\]\()data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text) ||
    (text.length >= 1_024 && /^[\w+/-]+={0,2}$/.test(text))
  )
}
