// #region faces
import { mcpFace } from '@doorplate/ahp-converse/mcp'
import { openApiFace } from '@doorplate/ahp-converse/openapi'
// #endregion faces
import { defineConcierge } from '@doorplate/ahp-converse/server'
import { site } from './concierge-options.js'

// #region faces
export const concierge = defineConcierge({ ...site, faces: [mcpFace(), openApiFace()] })
// #endregion faces
