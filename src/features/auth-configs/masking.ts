import { type AuthSchemeManifest, schemeFieldGroups } from '../../catalog/index.ts'

export type Secrets = Readonly<Record<string, unknown>>
const SHOWN_CHARACTERS = 4
export const REDACTED = 'REDACTED'

/** Never secret, whatever a manifest declares. */
const READABLE = new Set([
  'client_id',
  'consumer_key',
  'scopes',
  'user_scopes',
  'oauth_redirect_uri',
  'status',
  'token_type',
  'expires_in',
  'scope',
  'callback_url',
  'redirectUrl',
  'state_prefix',
  'long_redirect_url',
  'displayName',
  'username',
  'application_id',
  'installation_id',
  'revoked_at',
  'expired_at',
  'error',
  'error_description',
  // Fields that identify the site or region of an application.
  'subdomain',
  'your-domain',
  'region',
  'shop',
  'account_url',
  'COMPANYDOMAIN',
  'extension',
  'form_api_base_url',
  'instanceEndpoint',
  'api_url',
  'borneo_dashboard_url',
  'domain',
  'version',
  'dc',
  'site_name',
  'instanceName',
  'account_id',
  'your_server',
  'server_location',
  'base_url',
  'instance_url',
  'proxy_username',
])
/** Always secret, whatever a manifest declares. */
const SECRET = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'token',
  'api_key',
  'generic_api_key',
  'bearer_token',
  'basic_encoded',
  'password',
  'private_key',
  'credentials_json',
  'oauth_token',
  'oauth_token_secret',
  'client_secret',
  'consumer_secret',
  'devKey',
  'sessionId',
  'code_verifier',
  'proxy_password',
  'webhook_signature',
  'session_token',
  'Authorization',
])

/** Fields whose values are shown: the known ones, and those that the manifest declares as not secret. */
export function readableFields(manifest: AuthSchemeManifest | undefined): (name: string) => boolean {
  const fields = manifest ? schemeFieldGroups(manifest) : undefined
  const declared = [fields?.auth_config_creation, fields?.connected_account_initiation].flatMap((group) => [
    ...(group?.required ?? []),
    ...(group?.optional ?? []),
  ])
  const open = new Set(declared.filter((field) => !field.is_secret).map((field) => field.name))
  // Values that a page lists for a choice are not secret.
  for (const { save, value, label } of manifest?.post_connect ?? [])
    for (const [name, path] of Object.entries(save)) if (path === value || path === label) open.add(name)
  return (name) => !SECRET.has(name) && (READABLE.has(name) || open.has(name))
}

/**
 * Fields of a managed config that are shown: the choices of the project. The rest belongs to the
 * administrator.
 */
export const isProjectChoice = (name: string): boolean =>
  ['scopes', 'user_scopes', 'oauth_redirect_uri'].includes(name)

/** Masks a value: its first four characters and `...`; short values only `...`. */
export const maskValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return `${text.length > SHOWN_CHARACTERS ? text.slice(0, SHOWN_CHARACTERS) : ''}...`
}

/** Masks the secret values of an object, at every depth. */
export function maskSecrets(
  values: Secrets,
  readable: (name: string) => boolean,
  mask: (value: unknown) => string = maskValue,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (value === null || value === undefined || value === '') return [name, value]
      if (typeof value === 'object' && !Array.isArray(value))
        return [name, maskSecrets(value as Secrets, readable, mask)]
      return [name, readable(name) ? value : mask(value)]
    }),
  )
}

/** Whether a value is the mask that a read returned: writing it back must not overwrite the secret. */
export const isMaskOf = (sent: unknown, stored: unknown): boolean =>
  sent === REDACTED || (stored !== undefined && sent === maskValue(stored))

/** Replaces a stored object: masked values stay as stored, at every depth, and empty ones are removed. */
export function restoreMaskedValues(sent: Secrets, stored: Secrets): Secrets {
  return Object.fromEntries(
    Object.entries(sent)
      .map(([name, value]) => {
        const before = Object.hasOwn(stored, name) ? stored[name] : undefined
        if (isMaskOf(value, before)) return [name, before]
        return [name, isMap(value) ? restoreMaskedValues(value, isMap(before) ? before : {}) : value]
      })
      .filter(([, value]) => value !== undefined && value !== ''),
  )
}

/**
 * Merges values into the stored ones: an empty value clears its key, a masked one changes nothing, and an object
 * replaces the stored one except for the masked values in it.
 */
export function mergeSecrets(sent: Secrets, stored: Secrets): Secrets {
  const changes = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    const before = Object.hasOwn(stored, name) ? stored[name] : undefined
    if (isMaskOf(value, before)) return []
    return [[name, isMap(value) ? restoreMaskedValues(value, isMap(before) ? before : {}) : value]]
  })
  return Object.fromEntries(
    Object.entries({ ...stored, ...Object.fromEntries(changes) }).filter(
      ([, value]) => value !== '' && value !== null && !(Array.isArray(value) && !value.length),
    ),
  )
}

const isMap = (value: unknown): value is Secrets =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
