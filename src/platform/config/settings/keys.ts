import { managedAuth, managedAuthFile } from '../managed-auth-credentials.ts'
import { directory, httpOrigin, keyRing, kmsKey, matching, optional, type Rule } from '../rules.ts'
import type { SomeSettings } from './setting.ts'

const apiKey = (prefix: string): Rule<string> =>
  matching(
    new RegExp(`^${prefix}_[A-Za-z0-9_-]{32,128}$`),
    `\`${prefix}_\` and 32 to 128 random letters, digits, _ or -`,
  )

/** Settings of encryption, the first API keys and managed OAuth apps. */
export const keysSettings = {
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    rule: optional(keyRing),
    default: '',
    defaultMeans: 'a key that the first start creates in `DATA_DIR/encryption.keys`',
    example: '2026a:<output of: openssl rand -base64 32>',
    secret: true,
    description:
      'The keys that encrypt stored credentials. The first one encrypts, all of them decrypt: to rotate, ' +
      'add a new key in front of the old ones. ' +
      'If a key is lost, everything that it encrypted is lost. Servers that share a database need the same keys.',
  },
  kmsKey: {
    name: 'KMS_KEY',
    rule: optional(kmsKey),
    default: '',
    defaultMeans: 'the key file is not encrypted',
    example: 'aws-kms:arn:aws:kms:eu-west-1:111122223333:key/…',
    description:
      'The key of a key management service that encrypts the keys in `DATA_DIR/encryption.keys`: ' +
      '`aws-kms:<ARN>`, `gcp-kms:projects/…/cryptoKeys/<key>` or `vault:<URL>/<mount>/<key>` (transit). ' +
      'See docs/guides/keys-and-kms.md.',
  },
  kmsEndpoint: {
    name: 'KMS_ENDPOINT',
    rule: optional(httpOrigin),
    default: '',
    defaultMeans: 'the public endpoint of AWS KMS or Google Cloud KMS',
    example: 'https://vpce-1234.kms.eu-west-1.vpce.amazonaws.com',
    description: 'Another endpoint of the key management service, such as a VPC endpoint.',
  },
  vaultToken: {
    name: 'VAULT_TOKEN',
    rule: optional(matching(/^[\x21-\x7e]{8,1024}$/, '8 to 1024 printable characters without spaces')),
    default: '',
    defaultMeans: 'none',
    example: 'hvs.…',
    secret: true,
    description: 'The token for Vault, if KMS_KEY names a key of Vault.',
  },
  googleCredentialsFile: {
    name: 'GOOGLE_APPLICATION_CREDENTIALS',
    rule: optional(directory),
    default: '',
    defaultMeans: 'the service account of the machine',
    example: '/run/secrets/google.json',
    description: 'The key file of a service account, if KMS_KEY names a key of Google Cloud.',
  },
  bootstrapProjectApiKey: {
    name: 'BOOTSTRAP_PROJECT_API_KEY',
    rule: optional(apiKey('ak')),
    default: '',
    defaultMeans: 'a random key',
    example: 'ak_<32 to 128 random characters>',
    secret: true,
    description: 'The API key of the first project, which the first start on an empty database creates.',
  },
  bootstrapOrgApiKey: {
    name: 'BOOTSTRAP_ORG_API_KEY',
    rule: optional(apiKey('oak')),
    default: '',
    defaultMeans: 'a random key',
    example: 'oak_<32 to 128 random characters>',
    secret: true,
    description: 'The API key of the organization, which the first start on an empty database creates.',
  },
  managedAuthFile: {
    name: 'MANAGED_AUTH_FILE',
    rule: optional(managedAuthFile),
    default: '',
    defaultMeans: 'none',
    example: '/run/secrets/managed-auth.json',
    description:
      'A file with your OAuth apps, for all projects of this server: if it has credentials for a ' +
      'toolkit, projects can use `use_service_managed_auth`. See docs/guides/managed-oauth-apps.md.',
  },
  managedAuth: {
    name: 'MANAGED_AUTH',
    rule: optional(managedAuth),
    default: '',
    defaultMeans: 'none',
    example: '{"github":{"OAUTH2":{"client_id":"…","client_secret":"…"}}}',
    secret: true,
    description:
      'The content of MANAGED_AUTH_FILE as a variable. If both are set, each scheme of a toolkit may be ' +
      'in only one of them.',
  },
} satisfies SomeSettings
