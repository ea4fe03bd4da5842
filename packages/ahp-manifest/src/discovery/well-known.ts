/** Where a site serves its manifest. */
export const MANIFEST_PATH = '/.well-known/agent.json'

/** The media type by which agents ask for a manifest, and that the Link field names. It is not registered. */
export const MANIFEST_MEDIA_TYPE = 'application/agent+json'
