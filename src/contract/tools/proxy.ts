import { Type } from '../schema-type.ts'
import { Described, Enum, exampleId, Id, Url, UserId } from '../common.ts'
import { route } from '../route.ts'
import { REQUESTED_ACCOUNT_ERRORS, PROXY_ERRORS } from './call-errors.ts'
import { CustomConnectionData } from './execution-options.ts'

export const BinaryBody = Type.Object(
  {
    url: Type.Optional(Described(Url, 'URL from which the server fetches the content, without credentials.')),
    base64: Type.Optional(
      Type.String({ maxLength: 5_600_000, description: 'Content in base64. At most 4 MB before encoding.' }),
    ),
    content_type: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: '^[\\x20-\\x7e]+/[\\x20-\\x7e]+$',
        description: 'Media type of the content.',
      }),
    ),
  },
  {
    description:
      'Binary body: a URL that the server fetches without credentials, or base64. Not together with `body`.',
  },
)

/** Fields of the request of a proxy call. @param path example of `endpoint` */
export const proxyFields = (path: string) => ({
  endpoint: Type.String({
    minLength: 1,
    maxLength: 8_192,
    description: 'Path below the base URL of the account, or a URL of the same site.',
    examples: [path],
  }),
  method: Enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'], { description: 'HTTP method.' }),
  body: Type.Optional(
    Type.Unknown({
      description:
        'Body. Objects and lists are sent as JSON, or as a form if a content-type header ' +
        'says so; text is sent as it is.',
    }),
  ),
  binary_body: Type.Optional(BinaryBody),
  parameters: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'Name of the header or query parameter.',
        }),
        type: Enum(['header', 'query'], { description: 'Where the parameter is sent.' }),
        value: Type.String({ maxLength: 16_384, description: 'Value of the parameter.' }),
      }),
      { maxItems: 100, description: 'Headers and query parameters to add. At most 100.' },
    ),
  ),
  custom_connection_data: Type.Optional(
    Described(CustomConnectionData, 'Credentials to use in place of a connected account.'),
  ),
})

const Proxy = Type.Object({
  connected_account_id: Type.Optional(Described(Id('ca'), 'Id of the connected account, `ca_…`.')),
  user_id: Type.Optional(Described(UserId, 'Id of the user that the account belongs to.')),
  ...proxyFields('/gmail/v1/users/me/labels'),
})

/** The response of the application to a proxied request. */
export const ProxyReply = Type.Object({
  status: Type.Integer({ description: 'HTTP status of the application.' }),
  data: Type.Optional(Type.Unknown({ description: 'Body as JSON or text.' })),
  binary_data: Type.Optional(
    Type.Object(
      {
        url: Type.String({ description: 'URL for the download.' }),
        content_type: Type.String({ description: 'Media type.' }),
        size: Type.Integer({ description: 'Size in bytes.' }),
        expires_at: Type.String({ description: 'When the URL expires.' }),
      },
      { description: 'Stored body, in place of `data`, when it is not text or is larger than 10 MB.' },
    ),
  ),
  headers: Type.Record(Type.String(), Type.String(), { description: 'Headers of the application.' }),
})

export const proxyExecute = route({
  audience: 'project',
  permission: { area: 'proxy_execute', level: 'write' },
  neverRetry: true,
  id: 'tools.proxy',
  audit: false,
  method: 'POST',
  path: '/tools/execute/proxy',
  summary: 'Send a proxy request',
  description:
    'Sends an HTTP request to an application with the credentials of a connected account. Only URLs ' +
    'of the application are allowed. Returns 200 whenever the application responded; `status` is its ' +
    'status. Clients must not repeat this request automatically.',
  example: {
    body: { connected_account_id: exampleId('ca'), user_id: 'user-17', endpoint: '/user', method: 'GET' },
    needs: 'a connected account',
  },
  body: Proxy,
  readsAccount: true,
  reply: ProxyReply,
  errors: ['ActionProxy_MissingAuthContext', ...REQUESTED_ACCOUNT_ERRORS, ...PROXY_ERRORS],
})
