import { type Static, Type } from 'typebox'
import { OneOfText, optional, Path, Strict, TemplateText, Text } from './shapes.ts'

const Webhook = Strict(
  {
    code: Path('Where the code stands in the JSON body.'),
    match: Path(
      'Where the value stands by which body and browser are known to belong together. It must be unguessable, such as a random id of the installation.',
    ),
    match_param: Text('The callback parameter that carries the same value.'),
    signature: Strict(
      {
        header: Text('The header that carries the signature.'),
        algorithm: OneOfText(['sha256', 'sha512', 'sha1'], {
          description: 'Hash function of the HMAC (RFC 2104) over the body as it comes.',
        }),
        encoding: optional(
          OneOfText(['hex', 'base64', 'base64url'], { description: 'How it is written. Default hex.' }),
        ),
        key: TemplateText('Key, e.g. `{client_secret}`, or a field of the auth config.'),
        prefix: optional(Text('What stands before it, e.g. `sha256=`.')),
      },
      { description: 'How the provider proves that the webhook is its own.' },
    ),
  },
  { description: 'The webhook that brings the code.' },
)

/** How the browser comes back from the provider. */
export const Callback = Strict(
  {
    code_param: optional(
      Text(
        'Name of the code in the callback. Default `code`; for `admin_consent`, which brings none, what proves the consent: `tenant`.',
      ),
    ),
    capture: optional(
      Type.Record(
        Type.String(),
        Type.Union([
          Type.String(),
          Strict({
            param: Text('The callback parameter.'),
            pattern: Text(
              'Regular expression for the whole value; any other value ends the connection. Needed where the value chooses a host.',
            ),
          }),
        ]),
        {
          description:
            'Name of a connection value to the callback parameter that carries it, e.g. `realmId: realmId`.',
        },
      ),
    ),
    state_from: optional(
      OneOfText(['cookie'], {
        description:
          'For `authorize.flow: inbound_install`, whose provider brings no state: the connection is that which this browser began last. The callback address then ends in the slug of the toolkit.',
      }),
    ),
    source: optional(
      OneOfText(['webhook'], {
        description:
          'The code comes by a webhook of the provider to `PUBLIC_URL/api/v3/toolkits/auth/webhook/{auth_config_id}`, not with the browser. Needs `webhook`.',
      }),
    ),
    webhook: optional(Webhook),
  },
  { description: 'What the provider sends the user back with.' },
)

export type WebhookManifest = Static<typeof Webhook>
