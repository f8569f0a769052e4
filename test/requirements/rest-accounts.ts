import { requirementsOf, type Requirement, type Row, testsOf } from './requirement.ts'

const create = testsOf('src/features/connected-accounts/create.test.ts')
const accounts = testsOf('src/features/connected-accounts/account-selection/engine-accounts.test.ts')
const links = testsOf('src/features/connected-accounts/connect-links/connect-link.test.ts')
const callback = testsOf('src/features/connected-accounts/authorization-flow/callback.test.ts')
const browser = testsOf('src/features/connected-accounts/authorization-flow/callback-browser.test.ts')
const confirm = testsOf('src/features/connected-accounts/authorization-flow/complete-auth.test.ts')
const again = testsOf('src/features/connected-accounts/reconnect/reauthenticate.test.ts')
const revoke = testsOf('src/features/connected-accounts/revocation/revoke.test.ts')
const secrets = testsOf('src/features/connected-accounts/secrets.test.ts')
const events = testsOf('src/features/connected-accounts/events.test.ts')
const failures = testsOf('src/features/connected-accounts/token-refresh/refresh-failures.test.ts')

const area = (name: string, rows: readonly Row[]): Requirement[] =>
  requirementsOf('REST: resources', `rest.${name}`, rows)

/** What the contract of the REST API adds for connected accounts. */
export const REST_ACCOUNTS: readonly Requirement[] = [
  ...area('accounts', [
    [
      'default-user',
      'Without `user_id` the user is "default".',
      create(
        'create: flat data, api_key, BASIC, BEARER_TOKEN, NO_AUTH connect; the default user is "default"',
      ),
    ],
    [
      'redirect_uri',
      '`redirect_uri` is the former name of `callback_url`.',
      create('create: redirect_uri is an alias of callback_url'),
    ],
    [
      'state_prefix',
      '`state_prefix` starts the state, and `long_redirect_url` skips the short link.',
      create('create: state_prefix starts the state, and long_redirect_url returns the URL of the provider'),
    ],
    [
      'import',
      'ACTIVE with tokens imports an existing connection; without tokens it is 400.',
      create('create: ACTIVE with tokens imports an existing OAuth connection with its expiry'),
    ],
    [
      'alias',
      'An alias is unique for a user and a toolkit (409).',
      create('create: an alias is unique for a user and a toolkit (409 / 601)'),
    ],
    [
      'acl',
      'A SHARED account has access rules; on a PRIVATE one they are rejected.',
      create('create: a SHARED account has an ACL; an ACL on a PRIVATE one is rejected with 602'),
    ],
    [
      'link',
      'A link is valid for ten minutes, and its account is INITIALIZING.',
      links('connect links: a link opens a page for ten minutes, and its account is INITIALIZING'),
    ],
    [
      'link-fields',
      'The hosted page asks for the fields that are missing.',
      links(
        'connect links: the page names the application, asks for missing fields, and connects the account',
      ),
    ],
    [
      'callback-query',
      'The browser returns to the callback URL with its own query.',
      callback('callback: a code is exchanged, the account is ACTIVE, and the callback URL keeps its query'),
    ],
    [
      'callback-failure',
      'A failed flow returns with the error.',
      callback('callback: a failed flow redirects to the callback URL with the error code'),
    ],
    [
      'state-once',
      'A state works once.',
      callback(
        'callback: a state works once; a second callback shows an expired page and sends no token request',
      ),
    ],
    [
      'same-browser',
      'A callback in another browser connects nothing.',
      browser('callback: another browser is rejected, and the browser that started can still finish'),
    ],
    [
      'verifier',
      'With a verifier URL the application confirms the user, within ten minutes and once.',
      confirm(
        'complete_auth: the account is connected when the application has confirmed the user who returned',
      ),
    ],
    [
      'verifier-mismatch',
      'A confirmation of another user fails the account.',
      confirm('complete_auth: a different user fails the account, and the grant is erased'),
    ],
    [
      'filters',
      'Values of one filter are alternatives, filters must all match.',
      accounts('accounts: a list filters by any value of a parameter and by all parameters together'),
    ],
    [
      'read-fields',
      'A read has all fields of the list and `params`.',
      accounts('accounts: a read has all fields of the list item and params; v3.1 adds the requested scopes'),
    ],
    [
      'managed-redacted',
      'Managed credentials are REDACTED whatever the setting is.',
      secrets('secrets: managed credentials are REDACTED, with masking enabled or disabled'),
    ],
    [
      'update',
      'An update merges fields, null removes one, and a masked value changes nothing.',
      accounts('accounts: an update merges fields, null removes a field, and a masked value changes nothing'),
    ],
    [
      'update-reactivates',
      'New credentials make an EXPIRED account ACTIVE.',
      accounts(
        'accounts: new credentials reactivate an EXPIRED account, without failures; a disabled one stays',
      ),
    ],
    [
      'status',
      'Only ACTIVE and INACTIVE accounts can be switched.',
      accounts('accounts: an account can be disabled and enabled with a reason, but not in other statuses'),
    ],
    [
      'refresh',
      'A refresh of an OAuth account returns a URL where the user consents again.',
      again(
        'reauthentication: with a valid refresh token, the user consents again and no token is requested',
      ),
    ],
    [
      'refresh-url',
      '`redirect_url` of the body has priority over that of the query.',
      again('reauthentication: redirect_url of the body takes precedence over that of the query'),
    ],
    [
      'revoke',
      'A revocation revokes the tokens at the provider; a repetition does nothing.',
      revoke('revocation: revokes the tokens at the provider and erases them; a second request does nothing'),
    ],
    [
      'revoke-statuses',
      'Without support it is 400, in another status 409.',
      revoke('revocation: without support, in another status, or without the provider, nothing changes'),
    ],
    [
      'delete-keeps-tokens',
      'A deletion does not revoke the tokens unless it is asked to.',
      revoke('revocation: a deletion without revoke_on_delete sends no request to the provider'),
    ],
    [
      'transient',
      'A refresh that fails for the moment keeps the account ACTIVE.',
      failures(
        'token refresh: with an expired token, a failing endpoint is 502, a silent one 504; still ACTIVE',
      ),
    ],
    [
      'threshold',
      'Three rejections in a row expire the account.',
      failures(
        'token refresh: three rejections of valid credentials expire the account; a success resets them',
      ),
    ],
    [
      'expired-event',
      'An expired grant publishes one event.',
      events('account events: an expired grant publishes one event without a secret'),
    ],
    [
      'unusable',
      'An account that is not ACTIVE is reported with its reason, 410 or 422.',
      testsOf('src/features/connected-accounts/account-selection/unusable-account.test.ts')(
        'execute: an account that expired or was disabled is reported with its reason, also by user_id',
      ),
    ],
  ]),
]
