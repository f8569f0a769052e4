import type { ReplyOf } from '../../contract/route.ts'
import type { readToolkit } from '../../contract/toolkits/index.ts'
import { UsageError } from '../arguments/usage-error.ts'

type Toolkit = ReplyOf<typeof readToolkit>
export type SchemeDetails = Toolkit['auth_config_details'][number]

/** Credentials on the command line: `--token`, and `--field name=value`. */
export interface SuppliedCredentials {
  token: string | undefined
  fields: Readonly<Record<string, string>>
}

const OAUTH = /^(OAUTH|DCR_OAUTH)/
const TOKEN_FIELD = /token|api_key|key|secret|password/i

/** Whether users connect by signing in at the provider. */
export const isOAuth = ({ mode }: Pick<SchemeDetails, 'mode'>): boolean => OAUTH.test(mode)

const requiredFields = ({ fields }: SchemeDetails): string[] =>
  fields.connected_account_initiation.required.map(({ name }) => name)

const optionalFields = ({ fields }: SchemeDetails): string[] =>
  fields.connected_account_initiation.optional.map(({ name }) => name)

const hasField = (scheme: SchemeDetails, name: string): boolean =>
  requiredFields(scheme).includes(name) || optionalFields(scheme).includes(name)

/**
 * Returns the first scheme that the credentials complete, with the values of its fields. `--token` is the value of
 * the only missing field, or of the one with a name such as `token` or `api_key`.
 * @throws UsageError that names the fields of each scheme
 */
export function completeScheme(
  toolkit: Toolkit,
  { token, fields }: SuppliedCredentials,
): { scheme: SchemeDetails; values: Record<string, string> } {
  const schemes = toolkit.auth_config_details.filter((scheme) => !isOAuth(scheme))
  for (const scheme of schemes) {
    const missing = requiredFields(scheme).filter((name) => fields[name] === undefined)
    const unset = [...missing, ...optionalFields(scheme).filter((name) => fields[name] === undefined)]
    const tokenField = missing.length === 1 ? missing[0] : unset.find((name) => TOKEN_FIELD.test(name))
    const values =
      token === undefined || tokenField === undefined ? fields : { ...fields, [tokenField]: token }
    const usesToken = token === undefined || tokenField !== undefined
    const isComplete = missing.every((name) => values[name] !== undefined)
    const hasOthers = Object.keys(fields).some((name) => !hasField(scheme, name))
    if (usesToken && isComplete && !hasOthers) return { scheme, values }
  }
  throw new UsageError(
    `These values do not complete a connection to ${toolkit.slug}.`,
    schemes.length === 0
      ? 'It offers sign-in only: omit --token and --field.'
      : schemes
          .map((scheme) => `${scheme.mode} needs ${requiredFields(scheme).join(', ') || 'no field'}`)
          .join('; ') + '. Use --field name=value.',
  )
}

/**
 * Returns the scheme of a new auth config for the hosted page: managed credentials of the server first, then a
 * scheme for which users enter their own credentials.
 * @throws UsageError if only an OAuth app helps: it says how to create one
 */
export function schemeForPage(toolkit: Toolkit, redirectUri: string): { mode: string; isManaged: boolean } {
  const [managed] = toolkit.service_managed_auth_schemes
  if (managed !== undefined) return { mode: managed, isManaged: true }
  const own = toolkit.auth_config_details.find((scheme) => !isOAuth(scheme))
  if (own) return { mode: own.mode, isManaged: false }
  throw new UsageError(
    `${toolkit.slug} needs an OAuth app, and this server has none.`,
    `Create one at the provider with the redirect URI ${redirectUri}, then add --client-id and --client-secret.`,
  )
}
