import { authSchemes, fieldsByName, type Values } from '../../auth-schemes/index.ts'
import { type CompiledScheme, type FieldManifest, mergedFields, secretHosts } from '../../catalog/index.ts'
import type { AuthSchemeName } from '../../contract/schemes.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'

const STATE_PREFIX_MAX = 40

/** What a user supplies, as it is stored: blank members gone, the frame of a field (`https://`, `.zendesk.com`) removed, defaults filled in. @throws 400 */
export function storedForm(
  scheme: CompiledScheme,
  given: Values,
  shared: Values,
  part = 'payload.connection.state.val',
): Values {
  const fields = fieldsByName(scheme.manifest)
  const val: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(withKeyAlias(scheme, given))) {
    if (value === null || value === undefined || value === '') continue
    const field = fields.get(name)
    if (field && typeof value === 'object')
      throw badRequest(`Error in ${part}.${name}: must be a text, a number or a boolean`)
    val[name] = field && typeof value === 'string' ? unframed(field, value) : value
  }
  for (const [name, { default: preset }] of fields)
    if (preset && askedFor(scheme).has(name) && val[name] === undefined && !shared[name]) val[name] = preset
  const prefix = val['state_prefix']
  if (
    prefix !== undefined &&
    !(typeof prefix === 'string' && prefix.isWellFormed() && [...prefix].length <= STATE_PREFIX_MAX)
  )
    throw badRequest(
      `Error in ${part}.state_prefix: must be a text of at most ${STATE_PREFIX_MAX} characters`,
    )
  return val
}

/** What was signed in or minted with credentials goes with them. */
export const withoutSession = ({
  session_token: _session,
  access_token: _token,
  expires_in: _lifetime,
  ...val
}: Values): Values => val

/** `api_key` is another name of the generic key. */
export function withKeyAlias({ mode }: Pick<CompiledScheme, 'mode'>, val: Values): Values {
  const named = mode === 'API_KEY' && val['generic_api_key'] === undefined ? val['api_key'] : undefined
  return typeof named === 'string' || named === null ? { ...val, generic_api_key: named } : val
}

function unframed({ prefix = '', suffix = '' }: FieldManifest, value: string): string {
  const start = prefix && value.startsWith(prefix) ? value.slice(prefix.length) : value
  return suffix && start.endsWith(suffix) ? start.slice(0, -suffix.length) : start
}

/** Fields of the developer keep their defaults in the auth config. */
const askedFor = ({ manifest }: CompiledScheme) =>
  new Set(mergedFields(manifest, 'connected_account_initiation').map(({ name }) => name))

/** What the scheme itself finds wrong, such as a key file of another kind. @throws 400 with one line a field */
export function refuseMistakes(scheme: CompiledScheme, val: Values): void {
  const mistakes = Object.entries(authSchemes[scheme.mode as AuthSchemeName]?.mistakes?.(val, scheme) ?? {})
  if (!mistakes.length) return
  const names = fieldsByName(scheme.manifest)
  throw new ApiError(
    'ConnectedAccount_BadRequest',
    mistakes.map(([name, text]) => `${names.get(name)?.display_name ?? name} ${text}.`).join(' '),
    { details: mistakes.map(([name, text]) => `Error in payload.connection.state.val.${name}: ${text}`) },
  )
}

/** With the operator's client, nobody but the provider or the operator says where its secret is sent. @throws 400 */
export function refuseChosenHosts(
  { manifest }: CompiledScheme,
  config: { is_service_managed: boolean },
  given: Values,
  part = 'payload.connection.state.val',
): void {
  if (!config.is_service_managed) return
  const chosen = [...secretHosts(manifest)].filter((name) => given[name] !== undefined)
  if (chosen.length)
    throw badRequest(
      ...chosen.map(
        (name) =>
          `Error in ${part}.${name}: chooses the server that gets the secret of the operator's app, so it cannot be given here. Leave it out, or use an auth config with your own app.`,
      ),
    )
}
