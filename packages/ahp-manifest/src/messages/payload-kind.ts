import type { ActionResultPayload } from '../generated/messages/payload-action-result.js'
import type { AudioPayload } from '../generated/messages/payload-audio.js'
import type { DataPayload } from '../generated/messages/payload-data.js'
import type { DownloadPayload } from '../generated/messages/payload-download.js'
import type { FeedPayload } from '../generated/messages/payload-feed.js'
import type { ImagePayload } from '../generated/messages/payload-image.js'
import type { VideoPayload } from '../generated/messages/payload-video.js'
import type { MessageKind } from '../kinds.js'

/** The payload of each registered type; `text/answer` has none. */
export interface Payloads {
  'application/data': DataPayload
  'application/feed': FeedPayload
  'media/video': VideoPayload
  'media/audio': AudioPayload
  'media/image': ImagePayload
  'file/download': DownloadPayload
  'application/action-result': ActionResultPayload
}

const PAYLOAD_KINDS: ReadonlyMap<string, MessageKind> = new Map<keyof Payloads, MessageKind>([
  ['application/data', 'payload-data'],
  ['application/feed', 'payload-feed'],
  ['media/video', 'payload-video'],
  ['media/audio', 'payload-audio'],
  ['media/image', 'payload-image'],
  ['file/download', 'payload-download'],
  ['application/action-result', 'payload-action-result'],
])

/** The schema of the payload of a response type; undefined for types without one. */
export function payloadKind(contentType: string): MessageKind | undefined {
  return PAYLOAD_KINDS.get(contentType)
}
