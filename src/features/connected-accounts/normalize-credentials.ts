import { schemeByName, fieldsByName, type Credentials } from '../../auth-schemes/index.ts'
import {
  type CompiledScheme,
  type FieldManifest,
  mergeSchemeFields,
  secretHostNames,
  type Toolkit,
} from '../../catalog/index.ts'
import { changedHostFields, requireSecretsAgain } from '../auth-configs/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'

const STATE_PREFIX_MAX = 40
/** Path of the credentials in the request that creates an account. */
export const CREDENTIALS_PATH = 'payload.connection.state.val'

/**
 * Converts credentials from a user to the form that is stored: without empty values, without the prefix and
 * suffix of a field (`https://`, `.zendesk.com`), and with defaults. @throws 400
 */
export function normalizeCredentials(
  scheme: CompiledScheme,
  input: Credentials,
  shared: Credentials,
  path = CREDENTIALS_PATH,
): Credentials {
  const fields = fieldsByName(scheme.manifest)
  const credentials: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(withApiKeyAlias(scheme, input))) {
    if (value === null || value === undefined || value === '') continue
    const field = fields.get(name)
    if (field && typeof value === 'object')
      throw badRequest(`Error in ${path}.${name}: must be a string, a number or a boolean`)
    credentials[name] = field && typeof value === 'string' ? withoutAffixes(field, value) : value
  }
  const userFields = userFieldNames(scheme)
  for (const [name, { default: defaultValue }] of fields) {
    if (defaultValue && userFields.has(name) && credentials[name] === undefined && !shared[name])
      credentials[name] = defaultValue
  }
  if (!isStatePrefix(credentials['state_prefix'])) {
    throw badRequest(
      `Error in ${path}.state_prefix: must be a string of at most ${STATE_PREFIX_MAX} characters`,
    )
  }
  return credentials
}

const isStatePrefix = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.isWellFormed() && [...value].length <= STATE_PREFIX_MAX)

/** Removes what was fetched with older credentials: the session or the minted token. */
export const withoutSession = ({
  session_token: _session,
  access_token: _token,
  expires_in: _lifetime,
  ...credentials
}: Credentials): Credentials => credentials

/** Accepts `api_key` as another name of the field `generic_api_key`. */
export function withApiKeyAlias(
  { mode }: Pick<CompiledScheme, 'mode'>,
  credentials: Credentials,
): Credentials {
  const isAliased = mode === 'API_KEY' && credentials['generic_api_key'] === undefined
  const key = isAliased ? credentials['api_key'] : undefined
  return typeof key === 'string' || key === null ? { ...credentials, generic_api_key: key } : credentials
}

function withoutAffixes({ prefix = '', suffix = '' }: FieldManifest, value: string): string {
  const start = prefix && value.startsWith(prefix) ? value.slice(prefix.length) : value
  return suffix && start.endsWith(suffix) ? start.slice(0, -suffix.length) : start
}

/** Fields that the user fills in. The fields of the developer have their defaults in the auth config. */
const userFieldNames = ({ manifest }: CompiledScheme) =>
  new Set(mergeSchemeFields(manifest, 'connected_account_initiation').map(({ name }) => name))

/**
 * Rejects values that the scheme cannot use, such as another kind of key file. @throws 400 with one line a
 * field
 */
export function rejectInvalidCredentials(scheme: CompiledScheme, credentials: Credentials): void {
  const module = schemeByName(scheme.mode)
  const errors = Object.entries(module?.validateCredentials?.(credentials, scheme) ?? {})
  if (!errors.length) return
  const names = fieldsByName(scheme.manifest)
  throw new ApiError(
    'ConnectedAccount_BadRequest',
    errors.map(([name, text]) => `${names.get(name)?.display_name ?? name} ${text}.`).join(' '),
    { details: errors.map(([name, text]) => `Error in ${CREDENTIALS_PATH}.${name}: ${text}`) },
  )
}

/**
 * Rejects values that would send the administrator's client secret to another server: only the provider and
 * the administrator choose where it goes. @throws 400
 */
export function rejectChosenHosts(
  { manifest }: CompiledScheme,
  config: { is_service_managed: boolean },
  credentials: Credentials,
  path = CREDENTIALS_PATH,
): void {
  if (!config.is_service_managed) return
  const chosen = [...secretHostNames(manifest)].filter((name) => credentials[name] !== undefined)
  if (!chosen.length) return
  throw badRequest(
    ...chosen.map(
      (name) =>
        `Error in ${path}.${name}: selects the server that receives the client secret of the administrator's app, ` +
        'so it cannot be set here. Leave it out, or use an auth config with your own app.',
    ),
  )
}

/** Rejects a change of the host without the secrets that would be sent there. @throws 400 */
export function rejectMovedSecrets(
  toolkit: Toolkit,
  scheme: CompiledScheme,
  { stored, changed, names }: { stored: Credentials; changed: Credentials; names: readonly string[] },
): void {
  // Sessions and fetched tokens of the older credentials are removed, so none is sent anywhere.
  const { api_key: alias, ...entered } = withoutSession(stored)
  const secrets = entered['generic_api_key'] === undefined ? { ...entered, api_key: alias } : entered
  const change = { stored: secrets, changed, sent: new Set(names) }
  const fields = changedHostFields(toolkit, scheme, change)
  requireSecretsAgain(scheme, change, fields, CREDENTIALS_PATH)
}
