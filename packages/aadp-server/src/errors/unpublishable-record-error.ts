/** A record that can never be published as it is, whoever asks. Reported to `onError`, never to a requester. */
export class UnpublishableRecordError extends Error {
  override readonly name = 'UnpublishableRecordError'
  readonly code = 'unpublishable_record' as const
  /** The member of the serialised record at fault: `data/publishedAt`. */
  readonly member: string

  constructor(member: string, message: string, options?: ErrorOptions) {
    super(`${member}: ${message}`, options)
    this.member = member
  }
}
