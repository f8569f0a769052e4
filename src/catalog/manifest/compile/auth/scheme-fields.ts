import type { FieldManifest } from '../../format/index.ts'

/** The fields that a scheme requires, and the values that it supplies to templates once connected. */
export interface SchemeFields {
  readonly name: string
  readonly auth_config_creation: readonly FieldManifest[]
  readonly connected_account_initiation: readonly FieldManifest[]
  /** Template names that are not fields: what the provider answered. */
  readonly supplies: readonly string[]
}

const field = (
  name: string,
  display_name: string,
  description: string,
  more: Partial<FieldManifest> = {},
): FieldManifest => ({ name, display_name, description, ...more })
const SECRET = { secret: true }
const MULTILINE_SECRET = { ...SECRET, multiline: true }
const OPTIONAL = { required: false }
// The default makes `{password}` safe in templates: the form handler inserts defaults.
const OPTIONAL_SECRET = { ...SECRET, ...OPTIONAL, default: '' }

const TOKEN_NAMES = [
  'access_token',
  'refresh_token',
  'token_type',
  'scope',
  'id_token',
  'expires_in',
  'user_access_token',
  'user_scope',
]

const REDIRECT_URI = field(
  'oauth_redirect_uri',
  'Redirect URI',
  'Redirect URI that the provider sends users to; register it with your app.',
  OPTIONAL,
)
const USER_NAME_AND_PASSWORD = {
  auth_config_creation: [],
  connected_account_initiation: [
    field('username', 'User name', 'User name of the account.'),
    field('password', 'Password', 'Password of the account; may be empty.', OPTIONAL_SECRET),
  ],
  supplies: ['session_token'],
}

/** Fields of every scheme of the API; the same name in a manifest replaces the entry, `omit` removes it. */
export const SCHEME_FIELDS: Readonly<Record<string, SchemeFields>> = {
  OAUTH2: {
    name: 'OAuth 2.0',
    auth_config_creation: [
      field('client_id', 'Client id', 'Client id of your app, from its page at the provider.'),
      field(
        'client_secret',
        'Client secret',
        'Client secret of your app, from its page at the provider.',
        SECRET,
      ),
      REDIRECT_URI,
      field('scopes', 'Scopes', 'Scopes to request, separated by commas.', OPTIONAL),
      field('user_scopes', 'User scopes', 'Scopes of the user token, separated by commas.', OPTIONAL),
    ],
    connected_account_initiation: [],
    supplies: TOKEN_NAMES,
  },
  OAUTH1: {
    name: 'OAuth 1.0a',
    auth_config_creation: [
      field('consumer_key', 'Consumer key', 'Consumer key of your app, from its page at the provider.'),
      field(
        'consumer_secret',
        'Consumer secret',
        'Consumer secret of your app, from its page at the provider.',
        SECRET,
      ),
      REDIRECT_URI,
    ],
    connected_account_initiation: [],
    supplies: ['oauth_token', 'oauth_token_secret'],
  },
  DCR_OAUTH: {
    name: 'OAuth 2.0 with dynamic registration',
    auth_config_creation: [],
    connected_account_initiation: [],
    supplies: [...TOKEN_NAMES, 'client_id', 'client_secret', 'issuer'],
  },
  S2S_OAUTH2: {
    name: 'OAuth 2.0 client credentials',
    auth_config_creation: [],
    connected_account_initiation: [
      field('client_id', 'Client id', 'Client id of the machine user.'),
      field('client_secret', 'Client secret', 'Client secret of the machine user.', SECRET),
      field('scope', 'Scope', 'Scopes to request.', OPTIONAL),
    ],
    supplies: TOKEN_NAMES,
  },
  API_KEY: {
    name: 'API key',
    auth_config_creation: [],
    connected_account_initiation: [
      field('generic_api_key', 'API key', 'API key from your account at the provider.', SECRET),
    ],
    supplies: [],
  },
  BASIC: { name: 'User name and password', ...USER_NAME_AND_PASSWORD },
  BASIC_WITH_JWT: { name: 'User name and password for a token', ...USER_NAME_AND_PASSWORD },
  BEARER_TOKEN: {
    name: 'Bearer token',
    auth_config_creation: [],
    connected_account_initiation: [
      field(
        'token',
        'Token',
        'Access token from the provider. It is used unchanged and never refreshed.',
        SECRET,
      ),
    ],
    supplies: [],
  },
  GOOGLE_SERVICE_ACCOUNT: {
    name: 'Google service account',
    auth_config_creation: [field('scopes', 'Scopes', 'Scopes to request, separated by commas.', OPTIONAL)],
    connected_account_initiation: [
      field('credentials_json', 'Key file', 'The JSON key of the service account.', MULTILINE_SECRET),
      field(
        'subject',
        'User to act for',
        'Email address of the user that the service account acts for. If empty, it acts for itself.',
        OPTIONAL,
      ),
    ],
    supplies: ['access_token'],
  },
  SERVICE_ACCOUNT: {
    name: 'Service account',
    auth_config_creation: [],
    connected_account_initiation: [
      field('application_id', 'Application id', 'Id of the application.'),
      field('installation_id', 'Installation id', 'Id of its installation.'),
      field('private_key', 'Private key', 'Private key of the application (PEM).', MULTILINE_SECRET),
    ],
    supplies: ['access_token'],
  },
  BILLCOM_AUTH: {
    name: 'Bill.com session',
    auth_config_creation: [],
    connected_account_initiation: [
      field('sessionId', 'Session id', 'Id of the session.', SECRET),
      field('devKey', 'Developer key', 'Developer key.', SECRET),
    ],
    supplies: [],
  },
  CALCOM_AUTH: { name: 'Cal.com', auth_config_creation: [], connected_account_initiation: [], supplies: [] },
  SAML: { name: 'SAML', auth_config_creation: [], connected_account_initiation: [], supplies: [] },
  NO_AUTH: {
    name: 'No authentication',
    auth_config_creation: [],
    connected_account_initiation: [],
    supplies: [],
  },
}
