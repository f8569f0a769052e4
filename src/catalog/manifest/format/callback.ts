import { type Static, Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Path, Strict, TemplateText, Text } from './shapes.ts'

const Webhook = Strict(
  {
    code: Path('Path of the code in the JSON body.'),
    match: Path(
      'Path of the value that correlates the webhook with the browser. It must be unguessable, such as ' +
        'a random id of the installation.',
    ),
    match_param: Text('Callback parameter with the same value.'),
    signature: Strict(
      {
        header: Text('Header with the signature.'),
        algorithm: OneOfText(['sha256', 'sha512', 'sha1'], {
          description: 'Hash function of the HMAC (RFC 2104) over the received body.',
        }),
        encoding: optional(
          OneOfText(['hex', 'base64', 'base64url'], {
            description: 'Encoding of the signature. Default hex.',
          }),
        ),
        key: TemplateText('Key, e.g. `{client_secret}`, or a field of the auth config.'),
        prefix: optional(Text('Prefix of the signature, e.g. `sha256=`.')),
      },
      { description: 'Signature that proves that the provider sent the webhook.' },
    ),
  },
  { description: 'Webhook with the code.' },
)

/** The redirect from the provider back to the server. */
export const Callback = Strict(
  {
    code_param: optional(
      Text(
        'Name of the code parameter. Default `code`. For `admin_consent`, which returns no code, the ' +
          'parameter that proves the consent: `tenant`.',
      ),
    ),
    capture: optional(
      Type.Record(
        Type.String(),
        Type.Union([
          Type.String(),
          Strict({
            param: Text('Name of the callback parameter.'),
            pattern: Text(
              'Regular expression for the whole value. Another value ends the connection. Required ' +
                'where the value selects a host.',
            ),
          }),
        ]),
        {
          description: 'Name of a connection value to its callback parameter, e.g. `realmId: realmId`.',
        },
      ),
    ),
    state_from: optional(
      OneOfText(['cookie'], {
        description:
          'For `authorize.flow: inbound_install`, which returns no state: the connection is the one ' +
          'that this browser started last. The callback URL then ends in the slug of the toolkit.',
      }),
    ),
    source: optional(
      OneOfText(['webhook'], {
        description:
          'The provider sends the code by webhook to ' +
          '`PUBLIC_URL/api/v3/toolkits/auth/webhook/{auth_config_id}`, not with the browser. Requires ' +
          '`webhook`.',
      }),
    ),
    webhook: optional(Webhook),
  },
  { description: 'Parameters of the callback.' },
)

export type WebhookManifest = Static<typeof Webhook>
