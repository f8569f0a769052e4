import { type Static, Type } from 'typebox'
import { Strict } from './shapes.ts'

/** How the client proves itself at an endpoint of the authorization server. */
export const ClientAuth = Type.Union([
  Type.Literal('post'), Type.Literal('basic'), Type.Literal('none'),
  Strict({ basic: Strict({
    username: Type.String({ description: 'User name template, e.g. `{client_secret}`.' }), password: Type.String({ description: 'Password template; may be empty.' }),
  }, { description: 'HTTP Basic with other parts than the client id and secret.' }) }),
], { description: 'How the client proves itself at the token endpoint (RFC 6749 §2.3). Default post.' })

export type ClientAuthManifest = Static<typeof ClientAuth>
