import type { Address } from '../openapi/servers.ts'
import type { AuthSchemeManifest } from '../../manifest/format/index.ts'

/** AWS documents call their signature a key in a header. */
export function awsSignature(service: string | undefined, address: Address): AuthSchemeManifest {
  const region = address.fields.find(({ name }) => name === 'region')
  const name = service ?? /^https?:\/\/([a-z0-9-]+)/.exec(address.template)?.[1] ?? 'execute-api'
  return {
    scheme: 'API_KEY',
    name: 'AWS access key',
    fields: {
      omit: ['generic_api_key'],
      connected_account_initiation: [
        {
          name: 'access_key_id',
          display_name: 'Access key id',
          description: 'Access key id of an AWS user or role.',
        },
        {
          name: 'secret_access_key',
          display_name: 'Secret access key',
          description: 'Its secret access key.',
          secret: true,
        },
        {
          name: 'session_token',
          display_name: 'Session token',
          description: 'Session token of temporary credentials.',
          secret: true,
          required: false,
        },
        ...(region
          ? []
          : [
              {
                name: 'region',
                display_name: 'Region',
                description: 'AWS region that signatures name.',
                required: false,
                default: 'us-east-1',
              },
            ]),
      ],
    },
    apply: {
      sign: {
        kind: 'aws_sigv4',
        service: name.replace(/[^A-Za-z0-9-]/g, ''),
        region: "{region||'us-east-1'}",
        access_key_id: '{access_key_id}',
        secret_access_key: '{secret_access_key}',
        session_token: '{session_token?}',
      },
    },
  }
}
