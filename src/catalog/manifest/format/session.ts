import type { Static } from '../../../contract/schema-type.ts'
import { lifetime } from './auth-common.ts'
import { OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** A request that exchanges the credentials of the user for a session token. */
export const Session = Strict(
  {
    path: TemplateText('Endpoint of the token: a path below `base_url`, or an absolute URL.'),
    method: optional(
      OneOfText(['POST', 'GET', 'PUT'], {
        description: 'Default POST. The parameters of a GET are sent in the query.',
      }),
    ),
    body: optional(OneOfText(['form', 'json'], { description: 'Encoding of the parameters. Default form.' })),
    params: optional(TextMap('Parameters. They may use the fields of the connection.')),
    headers: optional(TextMap('Headers of this request.')),
    token: optional(Path('Path of the token in the response.')),
    token_from_cookie: optional(Text('Name of the response cookie with the token.')),
    token_from_header: optional(Text('Name of the response header with the token.')),
    expires_in: optional(Path('Path of the expiry, in `expiry_unit`.')),
    expiry_unit: optional(
      OneOfText(['seconds', 'milliseconds', 'unix_seconds', 'unix_milliseconds', 'date'], {
        description: 'Unit of `expires_in`. Default seconds from now.',
      }),
    ),
    lifetime_seconds: optional(lifetime('Lifetime of the token in seconds when the response has none.')),
  },
  {
    description:
      'Request for the session token. The token is stored, and refreshed before it expires and when it is ' +
      'rejected.',
  },
)

export type SessionManifest = Static<typeof Session>
