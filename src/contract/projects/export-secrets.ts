import { Type } from '../schema-type.ts'
import { exampleId, Nullable } from '../common.ts'
import { route } from '../route.ts'
import { ProjectParams } from './schemas.ts'

const Base64 = (description: string) => Type.String({ description: `${description} In base64.` })

// It has no permission area: only a key of the organization without restrictions may read secrets of a project.
export const exportProjectSecrets = route({
  audience: 'organization',
  id: 'projects.exportSecrets',
  method: 'POST',
  path: '/org/owner/project/:nano_id/secrets/export',
  summary: 'Export the secrets of a project under a passphrase',
  description:
    'An extension of this server. Returns a page of the credentials of auth configs and of ACTIVE accounts, ' +
    'encrypted with a key that scrypt derives from the passphrase. `patchbay export --passphrase-file` calls it, and ' +
    '`patchbay import` reads the result. Managed credentials and the accounts that use them are left out. Each page ' +
    'is an entry of the audit log.',
  example: {
    params: { nano_id: exampleId('proj') },
    body: { passphrase: 'correct horse battery staple' },
    needs: 'a project',
  },
  params: ProjectParams,
  body: Type.Object(
    {
      passphrase: Type.String({
        minLength: 12,
        maxLength: 1_024,
        description: 'Passphrase that decrypts the page. It is not stored.',
      }),
      cursor: Type.Optional(
        Nullable(
          Type.String({
            pattern: '^(auth_configs|connected_accounts):[A-Za-z0-9_-]{0,64}$',
            maxLength: 128,
            description: '`next_cursor` of the previous page. Omit it for the first page.',
          }),
        ),
      ),
    },
    { description: 'The passphrase and the page.' },
  ),
  reply: Type.Object({
    envelope: Type.Object(
      {
        salt: Base64('Salt of scrypt with N = 131072, r = 8, p = 1 and a key of 32 bytes.'),
        nonce: Base64('Nonce of AES-256-GCM.'),
        tag: Base64('Authentication tag of AES-256-GCM.'),
        ciphertext: Base64(
          'The encrypted JSON: lists `auth_configs` (`id`, `credentials`, `shared_credentials`) and ' +
            '`connected_accounts` (`id`, `val`, `token_expires_at`).',
        ),
      },
      { $id: 'PassphraseEnvelope', description: 'The encrypted page.' },
    ),
    count: Type.Integer({ description: 'Number of objects on this page.' }),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
  errors: ['Project_NotFound'],
})
