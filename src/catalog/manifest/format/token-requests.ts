import { type Static, Type } from 'typebox'
import { lifetime } from './auth-common.ts'
import { ClientAuth } from './client-auth.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

export const ExpiryUnit = OneOfText(
  ['seconds', 'milliseconds', 'unix_seconds', 'unix_milliseconds', 'date'],
  { description: 'Meaning of the expiry member. Default seconds from now.' },
)
const STEPS_MAX = 5

const Step = Strict(
  {
    url: TemplateText('Where the request goes; may use what the requests before it gave.'),
    method: optional(
      OneOfText(['POST', 'GET', 'PUT'], {
        description: 'Default POST; the parameters of a GET go into its query.',
      }),
    ),
    body: optional(
      OneOfText(['form', 'json', 'query'], { description: 'Where the parameters go. Default form.' }),
    ),
    params: optional(
      TextMap(
        'Parameters. The client does not prove itself unless they say so: `{client_id}`, `{client_secret}`.',
      ),
    ),
    headers: optional(TextMap('Headers, e.g. `authorization: Bearer {access_token}`.')),
    success_statuses: optional(Type.Array(Type.Integer(), { description: 'Default: any 2xx.' })),
    success_when: optional(conditionThat('A reply is a success only when this holds.')),
    map: optional(
      Type.Record(Type.String(), Path('Where it stands in the reply.'), {
        description:
          'Where the standard members stand in the reply, as of the token request. What is named here must be there; without `map` and `capture` that is `access_token`.',
      }),
    ),
    capture: optional(
      Type.Record(Type.String(), Path('Where it stands in the reply.'), {
        description:
          'Name of a connection value to the path in the reply where it stands. All of them must be there.',
      }),
    ),
    lifetime_seconds: optional(lifetime('Lifetime of what this step gives when the reply does not say.')),
    expiry_unit: optional(ExpiryUnit),
  },
  { description: 'One further request.' },
)

/** Requests that follow a token request before anything works. */
export const steps = (description: string) =>
  Type.Array(Step, { minItems: 1, maxItems: STEPS_MAX, description })

export const Introspect = Strict(
  {
    url: TemplateText('Introspection endpoint (RFC 7662).'),
    client_auth: optional(ClientAuth),
  },
  {
    description:
      'Where the end of an access token is asked for when its reply does not tell it. Without an answer `lifetime_seconds` holds.',
  },
)

export const DerivedTokens = Type.Array(
  Strict(
    {
      name: Text('Name of the token, by which templates and `use_token` of a tool know it.', {
        pattern: '^[a-z][a-z0-9_]*_token$',
      }),
      params: TextMap(
        'Parameters of its refresh request beside and in place of those of `refresh`, e.g. `scope` or `resource`.',
      ),
      omit: optional(
        Type.Array(Type.String(), { description: 'Parameters of `refresh` that must be absent.' }),
      ),
    },
    { description: 'One further access token.' },
  ),
  {
    minItems: 1,
    maxItems: STEPS_MAX,
    description:
      'Access tokens for other audiences, each asked for with the same refresh token whenever the connection is made or renewed.',
  },
)

export type StepManifest = Static<typeof Step>
export type IntrospectManifest = Static<typeof Introspect>
export type DerivedTokenManifest = Static<typeof DerivedTokens>[number]
