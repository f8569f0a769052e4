import { type Static, Type } from '../../../contract/schema-type.ts'
import { lifetime } from './auth-common.ts'
import { ClientAuth } from './client-auth.ts'
import { conditionThat, OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

export const ExpiryUnit = OneOfText(
  ['seconds', 'milliseconds', 'unix_seconds', 'unix_milliseconds', 'date'],
  { description: 'Unit of the expiry field. Default seconds from now.' },
)
const STEPS_MAX = 5

const Step = Strict(
  {
    url: TemplateText('URL of the request. It may use values of the requests before it.'),
    method: optional(
      OneOfText(['POST', 'GET', 'PUT'], {
        description: 'Default POST. The parameters of a GET are sent in the query.',
      }),
    ),
    body: optional(
      OneOfText(['form', 'json', 'query'], { description: 'Where the parameters are sent. Default form.' }),
    ),
    params: optional(
      TextMap(
        'Parameters. There is no client authentication unless they contain it: `{client_id}`, ' +
          '`{client_secret}`.',
      ),
    ),
    headers: optional(TextMap('Headers, e.g. `authorization: Bearer {access_token}`.')),
    success_statuses: optional(Type.Array(Type.Integer(), { description: 'Default: any 2xx.' })),
    success_when: optional(conditionThat('A response is successful only when this condition holds.')),
    map: optional(
      Type.Record(Type.String(), Path('Path in the response.'), {
        description:
          'Paths of the standard fields in the response, as for the token request. They must be ' +
          'present. Without `map` and `capture`, `access_token` is required.',
      }),
    ),
    capture: optional(
      Type.Record(Type.String(), Path('Path in the response.'), {
        description: 'Name of a connection value to its path in the response. All must be present.',
      }),
    ),
    lifetime_seconds: optional(
      lifetime('Lifetime in seconds of the token of this step when the response has none.'),
    ),
    expiry_unit: optional(ExpiryUnit),
  },
  { description: 'One further request.' },
)

/** Requests after a token request that complete the connection. */
export const steps = (description: string) =>
  Type.Array(Step, { minItems: 1, maxItems: STEPS_MAX, description })

export const Introspect = Strict(
  {
    url: TemplateText('Introspection endpoint (RFC 7662).'),
    client_auth: optional(ClientAuth),
  },
  {
    description:
      'Endpoint for the expiry of an access token when its response has none. Without a result, ' +
      '`lifetime_seconds` applies.',
  },
)

export const DerivedTokens = Type.Array(
  Strict(
    {
      name: Text('Name of the token in templates and in `use_token` of a tool.', {
        pattern: '^[a-z][a-z0-9_]*_token$',
      }),
      params: TextMap(
        'Parameters of its refresh request, in addition to those of `refresh`, e.g. `scope` or ' +
          '`resource`. The same name replaces.',
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
      'Access tokens for other audiences. Each is requested with the same refresh token when the ' +
      'connection is created or refreshed.',
  },
)

export type StepManifest = Static<typeof Step>
export type IntrospectManifest = Static<typeof Introspect>
export type DerivedTokenManifest = Static<typeof DerivedTokens>[number]
