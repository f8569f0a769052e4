import type { OAuth2Manifest } from '../../catalog/index.ts'
import type { ConnectionContext } from '../scheme.ts'

/** The manifest of a connection with an OAuth 2 scheme. */
export const oauth2Manifest = ({ scheme }: Pick<ConnectionContext, 'scheme'>) =>
  scheme.manifest as OAuth2Manifest
