import { lookupOf, type ConnectionContext, type Values } from '../../auth-schemes/index.ts'
import {
  type AuthSchemeManifest,
  compiledSchemeOf,
  compileTemplate,
  renderAddress,
  renderOptional,
  type Template,
} from '../../catalog/index.ts'
import type * as contract from '../../contract/connected-accounts.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type { AccountStatus } from '../../contract/schemes.ts'
import { masked, maskSecrets, readableNames, REDACTED } from '../auth-configs/index.ts'
import type { AccountDeps } from './deps.ts'
import { type KnownIdentity, openIdentity, whoIs } from './identity.ts'
import { openVal, setupOf } from './open.ts'
import type { AccountRow } from './store.ts'

type Mask = (value: unknown) => unknown

/** Managed credentials are never shown; own ones are masked unless the project switched that off. */
function maskFor(managed: boolean, maskOwn: boolean): Mask {
  return managed ? () => REDACTED : maskOwn ? masked : (value) => value
}

/** `val` as the wire shows it, at create and at every read; its status is always that of the account. */
export function shownVal(
  {
    val,
    status,
    managed,
    manifest,
    callbackUrl,
  }: {
    val: Values
    status: AccountStatus
    managed: boolean
    manifest: AuthSchemeManifest | undefined
    callbackUrl: string | null | undefined
  },
  maskOwn: boolean,
): { status: AccountStatus } & Record<string, unknown> {
  const { status: _status, ...shown } = maskSecrets(
    val,
    readableNames(manifest),
    maskFor(managed, maskOwn) as (value: unknown) => string,
  )
  return { status, ...shown, ...(callbackUrl ? { callback_url: callbackUrl } : {}) }
}

/** A row as the wire shows it. */
export function presentAccount(
  deps: AccountDeps,
  row: AccountRow,
  maskOwn: boolean,
  apiVersion: ApiVersion,
  single = false,
): contract.ConnectedAccount {
  const toolkit = deps.catalog.toolkit(row.toolkit_slug)
  const manifest = toolkit && compiledSchemeOf(toolkit, row.auth_scheme)?.manifest
  const stored = openVal(deps.encryptor, row)
  const identity = shownIdentity(openIdentity(deps.encryptor, row))
  const shown = shownVal(
    {
      val: stored,
      status: row.status,
      managed: row.is_service_managed,
      manifest,
      callbackUrl: row.callback_url,
    },
    maskOwn,
  )
  const val =
    identity && shown['displayName'] === undefined ? { ...shown, displayName: identity.label } : shown
  const request = requestParts(deps, row, stored, val, maskFor(row.is_service_managed, maskOwn))
  return {
    id: row.id,
    word_id: row.word_id,
    alias: row.alias,
    user_id: row.user_id,
    toolkit: { slug: row.toolkit_slug },
    auth_config: {
      id: row.auth_config_id,
      auth_scheme: row.auth_scheme,
      is_service_managed: row.is_service_managed,
      is_disabled: row.auth_config_status === 'DISABLED',
      deprecated: { uuid: row.auth_config_uuid },
    },
    status: row.status,
    status_reason: row.status_reason,
    is_disabled: row.auth_config_status === 'DISABLED',
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    state: { authScheme: row.auth_scheme, val },
    data: val,
    identity,
    test_request_endpoint: toolkit?.identity ? request.addressOf(toolkit.identity.path) : '',
    ...(single
      ? {
          params: {
            base_url: request.base_url,
            headers: request.credentials('headers'),
            queryParams: request.credentials('query'),
          },
        }
      : {}),
    ...(single && apiVersion === 'v3.1'
      ? { requested_scopes: row.requested_scopes, requested_user_scopes: row.requested_user_scopes }
      : {}),
    ...(apiVersion === 'v3.1'
      ? {
          experimental: {
            account_type: row.account_type,
            ...(row.acl ? { acl_config_for_shared: { ...row.acl } } : {}),
          },
        }
      : {}),
    deprecated: { labels: [], uuid: row.uuid },
  }
}

/** What the developer chose among the variants of the manifest, which changes addresses and is no secret. */
function choicesOf({ scheme, credentials }: ConnectionContext): Values {
  const { variants = [] } = scheme.manifest
  return variants.length ? Object.fromEntries(variants.map(({ by }) => [by, credentials[by]])) : {}
}

/** Null while it is not known whose account it is. */
export function shownIdentity(known: KnownIdentity | undefined): contract.ShownIdentity | null {
  if (!known?.current) return null
  return {
    ...known.current,
    label: whoIs(known.current),
    checked_at: known.checked_at,
    previous: known.before && { ...known.before, label: whoIs(known.before) },
  }
}

/** What a request of this account is made of. Addresses are made of what is shown: some applications have the key in the path. */
function requestParts(deps: AccountDeps, row: AccountRow, stored: Values, shown: Values, mask: Mask) {
  const setup = setupOf(deps, { ...row, id: row.auth_config_id }, () => stored)
  const template = setup?.scheme.baseUrl ?? deps.catalog.toolkit(row.toolkit_slug)?.baseUrl
  const shared = setup
    ? maskSecrets(setup.shared, readableNames(setup.scheme.manifest), mask as (value: unknown) => string)
    : {}
  const lookup = lookupOf({
    val: shown,
    shared,
    get credentials() {
      return setup ? choicesOf(setup) : {}
    },
    scheme: setup?.scheme,
  })
  // A connection that is not finished may lack what its address needs.
  const text = (address: Template) => {
    try {
      return renderAddress(address, lookup)
    } catch {
      return address.source
    }
  }
  return {
    base_url: template ? text(template) : '',
    addressOf(path: string): string {
      const below = text(compileTemplate(path))
      return /^https?:/i.test(below) || !template ? below : text(template).replace(/\/+$/, '') + below
    },
    credentials(place: 'headers' | 'query'): Record<string, unknown> {
      if (!setup || row.status !== 'ACTIVE') return {}
      return Object.fromEntries(
        setup.scheme[place].flatMap(({ name, value }) => {
          try {
            const filled = renderOptional(value, lookupOf(setup))
            return filled === undefined ? [] : [[name, mask(filled)]]
          } catch {
            return []
          }
        }),
      )
    },
  }
}
