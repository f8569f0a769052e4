import { installation, keyFile } from '../../simulation/providers/quirks/schemes-machine.ts'
import { CLIENT } from '../../simulation/providers/start.ts'
import type { AuthSchemeName } from '../../src/contract/schemes.ts'

/** What one auth scheme, at one provider, supports. */
export interface SchemeRow {
  scheme: AuthSchemeName
  /** The name of a simulated provider, or `oidc-provider`. */
  at: string
  /**
   * The user's first and second credentials, with what the provider receives of them. Absent if the user signs in
   * with a browser.
   */
  credentials?: readonly [val: (url: string) => Record<string, unknown>, received: string | undefined][]
  /** `yes`, or the reason why there is no token refresh. */
  refreshes: string
  /**
   * How the same account is connected again: with a browser, with other credentials, or with the same ones after
   * the provider accepts them again.
   */
  reconnects: 'browser' | 'credentials' | 'same-credentials'
  /** `yes`, or the reason why the account cannot be revoked. */
  revokes: string
}

const browser = { refreshes: 'yes', reconnects: 'browser', revokes: 'yes' } as const
const NO_REFRESH = 'a key does not expire'
const NO_REVOCATION = 'a key is revoked in the application'
const key = { refreshes: NO_REFRESH, revokes: NO_REVOCATION } as const
const twice = (make: (text: string, url: string) => Record<string, unknown>, ...texts: [string, string]) =>
  texts.map(
    (text) =>
      [(url: string) => make(text, url), text] as const satisfies NonNullable<
        SchemeRow['credentials']
      >[number],
  )

/** One row for each scheme of the contract that connects accounts. */
export const SCHEME_ROWS: readonly SchemeRow[] = [
  { scheme: 'OAUTH2', at: 'revocable', ...browser },
  { scheme: 'OAUTH2', at: 'oidc-provider', ...browser },
  { scheme: 'DCR_OAUTH', at: 'registers', ...browser },
  { scheme: 'OAUTH1', at: 'oauth1-walk-sha1', ...browser, refreshes: 'a token of OAuth 1 does not expire' },
  {
    scheme: 'OAUTH1',
    at: 'oauth1-walk-plaintext',
    ...browser,
    refreshes: 'a token of OAuth 1 does not expire',
  },
  { scheme: 'OAUTH1', at: 'oauth1-walk-sha256', ...browser, refreshes: 'a token of OAuth 1 does not expire' },
  {
    scheme: 'S2S_OAUTH2',
    at: 'machine',
    ...browser,
    reconnects: 'same-credentials',
    credentials: [[() => ({ client_id: CLIENT.id, client_secret: CLIENT.secret }), CLIENT.id]],
  },
  {
    scheme: 'BASIC_WITH_JWT',
    at: 'login-jwt',
    ...browser,
    reconnects: 'credentials',
    credentials: twice((password) => ({ username: 'ada', password }), 'pass-word-1', 'pass-word-2'),
  },
  {
    scheme: 'GOOGLE_SERVICE_ACCOUNT',
    at: 'google-service',
    ...browser,
    reconnects: 'credentials',
    credentials: twice((id, url) => ({ credentials_json: keyFile(url, id) }), 'k-1', 'k-2'),
  },
  {
    scheme: 'SERVICE_ACCOUNT',
    at: 'installation',
    ...browser,
    reconnects: 'credentials',
    credentials: twice(installation, '7', '8'),
  },
  {
    scheme: 'API_KEY',
    at: 'key',
    ...key,
    reconnects: 'credentials',
    credentials: twice((text) => ({ generic_api_key: text }), 'key-0001', 'key-0002'),
  },
  {
    scheme: 'BASIC',
    at: 'basic',
    ...key,
    reconnects: 'credentials',
    credentials: twice((password) => ({ username: 'ada', password }), 'pass-word-1', 'pass-word-2'),
  },
  {
    scheme: 'BEARER_TOKEN',
    at: 'bearer',
    ...key,
    reconnects: 'credentials',
    credentials: twice((token) => ({ token }), 'token-0001', 'token-0002'),
  },
  {
    scheme: 'BILLCOM_AUTH',
    at: 'billcom',
    ...key,
    reconnects: 'same-credentials',
    revokes: 'yes',
    credentials: [[() => ({ sessionId: 'session-0001', devKey: 'dev-0001' }), 'session-0001']],
  },
  {
    scheme: 'CALCOM_AUTH',
    at: 'calcom',
    ...key,
    reconnects: 'same-credentials',
    credentials: [[() => ({ cal_api_key: 'cal-0001' }), 'cal-0001']],
  },
]
