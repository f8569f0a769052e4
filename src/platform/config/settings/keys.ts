import { managedAuth, managedAuthFile } from '../managed-auth-credentials.ts'
import { keyRing, matching, optional, type Rule } from '../rules.ts'
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
