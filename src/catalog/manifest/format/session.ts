import type { Static } from 'typebox'
import { lifetime } from './auth-common.ts'
import { OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** One request that trades what the user gave for a token that ends. */
export const Session = Strict(
  {
    path: TemplateText('Where the token is asked for: a path below the base address, or a whole address.'),
    method: optional(
      OneOfText(['POST', 'GET', 'PUT'], {
        description: 'Default POST; the parameters of a GET go into its query.',
      }),
    ),
    body: optional(
      OneOfText(['form', 'json'], { description: 'How the parameters are written. Default form.' }),
    ),
    params: optional(TextMap('Parameters; may use the fields of the connection.')),
    headers: optional(TextMap('Headers of this request.')),
    token: optional(Path('Where the token stands in the reply.')),
    token_from_cookie: optional(Text('Name of the cookie that is the token.')),
    token_from_header: optional(Text('Name of the response header that is the token.')),
    expires_in: optional(Path('Where its end stands, as `expiry_unit` says.')),
    expiry_unit: optional(
      OneOfText(['seconds', 'milliseconds', 'unix_seconds', 'unix_milliseconds', 'date'], {
        description: 'Meaning of `expires_in`. Default seconds from now.',
      }),
    ),
    lifetime_seconds: optional(lifetime('Its lifetime when the reply does not say.')),
  },
  { description: 'How the token is got: it is kept, renewed before it ends and when it is refused.' },
)

export type SessionManifest = Static<typeof Session>
