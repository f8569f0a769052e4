import { credentialLookup, type ConnectionContext, type Credentials } from '../../auth-schemes/index.ts'
import {
  type AuthSchemeManifest,
  findCompiledScheme,
  compileTemplate,
  renderUrl,
  renderOptional,
  type Template,
} from '../../catalog/index.ts'
import type * as contract from '../../contract/connected-accounts/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type { AccountStatus } from '../../contract/schemes.ts'
import { maskValue, maskSecrets, readableFields, REDACTED } from '../auth-configs/index.ts'
import { accountFields } from './account-fields.ts'
import { accountConnectionContext, consumerKeyOf, decryptCredentials } from './credentials.ts'
import type { AccountDeps } from './deps.ts'
import { decryptIdentity, identityLabel, type KnownIdentity } from './identity/identity.ts'
import { SIGN_IN_OPTIONS } from './reconnect/reopen-account.ts'
import type { AccountRow } from './store.ts'

type Mask = (value: unknown) => unknown

/** Managed credentials are never shown. Own credentials are masked unless the project disabled that. */
function maskFor(managed: boolean, maskOwn: boolean): Mask {
  if (managed) return () => REDACTED
  return maskOwn ? maskValue : (value) => value
}

interface PresentedConnection {
  credentials: Credentials
  status: AccountStatus
  managed: boolean
  manifest: AuthSchemeManifest | undefined
  callbackUrl: string | null | undefined
  /** OAuth 1.0a: the public key of the client, from the auth config. */
  consumerKey?: unknown
  expiredAt?: Date | null
}

/**
 * Presents credentials as `state.val` of a response, for create and for reads. Its status is that of the
 * account.
 */
export function presentCredentials(
  { credentials, status, managed, manifest, callbackUrl, consumerKey, expiredAt }: PresentedConnection,
  maskOwn: boolean,
): { status: AccountStatus } & Record<string, unknown> {
  const { [SIGN_IN_OPTIONS]: _options, ...readable } = credentials
  const { status: _status, ...presented } = maskSecrets(
    readable,
    readableFields(manifest),
    maskFor(managed, maskOwn) as (value: unknown) => string,
  )
  return {
    status,
    ...presented,
    ...(callbackUrl ? { callback_url: callbackUrl } : {}),
    ...(manifest?.scheme === 'OAUTH1' && callbackUrl ? { callbackUrl } : {}),
    ...(typeof consumerKey === 'string' ? { consumer_key: managed ? REDACTED : consumerKey } : {}),
    ...(expiredAt ? { expired_at: expiredAt.toISOString() } : {}),
  }
}

/** Presents an account as a response. `single`: a response about one account has more fields than a list. */
export function presentAccount(
  deps: AccountDeps,
  row: AccountRow,
  maskOwn: boolean,
  apiVersion: ApiVersion,
  single = false,
): contract.ConnectedAccount {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const identity = presentIdentity(decryptIdentity(deps.encryptor, row))
  const stored = decryptCredentials(deps.encryptor, row)
  const val = presentVal(deps, row, stored, maskOwn, identity)
  const request = requestParts(deps, row, stored, val, maskFor(row.is_service_managed, maskOwn))
  return {
    ...accountFields(row),
    state: { authScheme: row.auth_scheme, val },
    data: val,
    identity,
    test_request_endpoint: toolkit?.identity ? request.urlOf(toolkit.identity.path) : '',
    ...(single ? { params: request.params() } : {}),
    ...fieldsOfVersion(row, apiVersion, single),
    deprecated: { labels: [], uuid: row.uuid },
  }
}

function presentVal(
  deps: AccountDeps,
  row: AccountRow,
  credentials: Credentials,
  maskOwn: boolean,
  identity: contract.AccountIdentity | null,
) {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const val = presentCredentials(
    {
      credentials,
      status: row.status,
      managed: row.is_service_managed,
      manifest: toolkit && findCompiledScheme(toolkit, row.auth_scheme)?.manifest,
      callbackUrl: row.callback_url,
      consumerKey: consumerKeyOf(deps.encryptor, {
        ...row,
        id: row.auth_config_id,
        credentials: row.auth_config_credentials,
      }),
      expiredAt: row.expired_at,
    },
    maskOwn,
  )
  return identity && val['displayName'] === undefined ? { ...val, displayName: identity.label } : val
}

/** Fields that only the newer API version has. */
function fieldsOfVersion(row: AccountRow, apiVersion: ApiVersion, single: boolean) {
  if (apiVersion !== 'v3.1') return {}
  return {
    ...(single
      ? { requested_scopes: row.requested_scopes, requested_user_scopes: row.requested_user_scopes }
      : {}),
    experimental: {
      account_type: row.account_type,
      ...(row.acl ? { acl_config_for_shared: { ...row.acl } } : {}),
    },
  }
}

/** The developer's choices among the variants of the manifest. They change URLs and are no secrets. */
function variantChoices({ scheme, authConfigCredentials: credentials }: ConnectionContext): Credentials {
  const { variants = [] } = scheme.manifest
  return variants.length ? Object.fromEntries(variants.map(({ by }) => [by, credentials[by]])) : {}
}

/** Presents the identity at the provider. Returns null until it is known. */
export function presentIdentity(known: KnownIdentity | undefined): contract.AccountIdentity | null {
  if (!known?.current) return null
  return {
    ...known.current,
    label: identityLabel(known.current),
    checked_at: known.checked_at,
    previous: known.before && { ...known.before, label: identityLabel(known.before) },
  }
}

/**
 * Base URL, headers and query parameters of a request with this account. URLs are rendered from the presented
 * (masked) values, because some applications have the key in the path.
 */
function requestParts(
  deps: AccountDeps,
  row: AccountRow,
  stored: Credentials,
  presented: Credentials,
  mask: Mask,
) {
  const context = accountConnectionContext(deps, row, () => stored)
  const baseUrl = context?.scheme.baseUrl ?? deps.catalog.toolkit(row.toolkit_slug)?.baseUrl
  const shared = context
    ? maskSecrets(
        context.sharedCredentials,
        readableFields(context.scheme.manifest),
        mask as (value: unknown) => string,
      )
    : {}
  const lookup = credentialLookup({
    credentials: presented,
    sharedCredentials: shared,
    get authConfigCredentials() {
      return context ? variantChoices(context) : {}
    },
    scheme: context?.scheme,
  })
  // An account that is not connected yet can lack values of its URL.
  const render = (url: Template) => {
    try {
      return renderUrl(url, lookup)
    } catch {
      return url.source
    }
  }
  const baseText = baseUrl ? render(baseUrl) : ''
  return {
    urlOf(path: string): string {
      const url = render(compileTemplate(path))
      return /^https?:/i.test(url) || !baseUrl ? url : baseText.replace(/\/+$/, '') + url
    },
    params: () => ({
      base_url: baseText,
      headers: maskedParameters(context, row, 'headers', mask),
      queryParams: maskedParameters(context, row, 'query', mask),
    }),
  }
}

function maskedParameters(
  context: ConnectionContext | undefined,
  row: AccountRow,
  location: 'headers' | 'query',
  mask: Mask,
): Record<string, unknown> {
  if (!context || row.status !== 'ACTIVE') return {}
  return Object.fromEntries(
    context.scheme[location].flatMap(({ name, value }) => {
      try {
        const rendered = renderOptional(value, credentialLookup(context))
        return rendered === undefined ? [] : [[name, mask(rendered)]]
      } catch {
        return []
      }
    }),
  )
}
