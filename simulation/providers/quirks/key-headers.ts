import type { Quirk } from '../quirk.ts'
import { KEY, account, keyed } from './key-account.ts'

const PREFIXES: readonly [name: string, title: string, header: string, template: string, sent: string][] = [
  ['key-ssws', 'A key behind SSWS', 'authorization', 'SSWS {generic_api_key}', `SSWS ${KEY}`],
  [
    'key-klaviyo',
    'A key behind its own name',
    'authorization',
    'Klaviyo-API-Key {generic_api_key}',
    `Klaviyo-API-Key ${KEY}`,
  ],
  [
    'key-user-token',
    'A key behind QB-USER-TOKEN',
    'authorization',
    'QB-USER-TOKEN {generic_api_key}',
    `QB-USER-TOKEN ${KEY}`,
  ],
  [
    'key-shippo',
    'A key behind ShippoToken',
    'authorization',
    'ShippoToken {generic_api_key}',
    `ShippoToken ${KEY}`,
  ],
  [
    'key-api-token',
    'A key behind Api-Token',
    'authorization',
    'Api-Token {generic_api_key}',
    `Api-Token ${KEY}`,
  ],
  [
    'key-token-equals',
    'A key behind Token token=',
    'authorization',
    'Token token={generic_api_key}',
    `Token token=${KEY}`,
  ],
  [
    'key-impersonation',
    'A key behind Impersonation',
    'authorization',
    'Impersonation {generic_api_key}',
    `Impersonation ${KEY}`,
  ],
  [
    'key-access-key',
    'A key behind AccessKey',
    'authorization',
    'AccessKey {generic_api_key}',
    `AccessKey ${KEY}`,
  ],
  ['key-bare', 'A bare key', 'authorization', '{generic_api_key}', KEY],
  ['key-own-header', 'A key in a header of its own', 'x-shopify-access-token', '{generic_api_key}', KEY],
]

/** Keys in a header, behind a prefix. */
export const KEY_HEADERS: readonly Quirk[] = [
  ...PREFIXES.map(([name, title, header, template, sent]): Quirk => ({
    number: 73,
    name,
    title,
    auth: () => ({ scheme: 'API_KEY', apply: { headers: { [header]: template } } }),
    ignoring: [{ path: `auth.apply.headers.${header}`, value: 'Bearer {generic_api_key}' }],
    connectionInput: account({ generic_api_key: KEY }),
    server: keyed(
      (request) => request.headers[header] === sent,
      `${header} must be ${sent.replace(KEY, '<key>')}.`,
    ),
  })),
]
