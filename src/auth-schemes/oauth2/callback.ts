import { compileTemplate, renderUrl } from '../../catalog/index.ts'
import { matchesPattern } from '../../platform/safe-pattern/index.ts'
import {
  credentialLookup,
  GrantRejected,
  ProviderUnavailable,
  type ConnectionContext,
  type Credentials,
} from '../scheme.ts'
import { oauth2Manifest } from './manifest.ts'

const DESCRIPTION_MAX = 300
const CODE_MAX = 100

/**
 * Rejects a response of another authorization server (RFC 9207, section 2.4), if the manifest names the issuer and the
 * response has one. @throws GrantRejected
 */
export function checkIssuer(connection: ConnectionContext, { iss }: Credentials): void {
  const issuer = oauth2Manifest(connection).id_token?.issuer
  if (issuer === undefined || iss === undefined) return
  if (renderUrl(compileTemplate(issuer), credentialLookup(connection)) === iss) return
  throw new GrantRejected(
    'issuer_mismatch',
    'The response came from a different authorization server than the request was sent to.',
  )
}

/** Returns the code of the callback (RFC 6749 §4.1.2). @throws GrantRejected, ProviderUnavailable */
export function callbackCode(connection: ConnectionContext, callback: Credentials): string {
  const { error, error_description: description } = callback
  if (error !== undefined) {
    const code = String(error).slice(0, CODE_MAX)
    throw new GrantRejected(
      code,
      typeof description === 'string' ? `${code}: ${description.slice(0, DESCRIPTION_MAX)}` : code,
    )
  }
  const {
    authorize,
    callback: { code_param: name = authorize.flow === 'admin_consent' ? 'tenant' : 'code' } = {},
  } = oauth2Manifest(connection)
  const code = callback[name]
  if (authorize.flow === 'install' && callback['setup_action'] === 'request')
    throw new GrantRejected('approval_pending', 'An administrator must approve the installation first.')
  if (authorize.flow === 'admin_consent' && String(callback['admin_consent']).toLowerCase() !== 'true')
    throw new GrantRejected('consent_missing', 'No administrator granted access.')
  if (typeof code !== 'string' || !code)
    throw new ProviderUnavailable(`The provider sent the browser back without ${name}.`)
  return code
}

/** Captured parameters, such as tenant IDs and data centres that some providers send only in the callback. */
export function callbackValues(connection: ConnectionContext, callback: Credentials): Credentials {
  const entries = Object.entries(oauth2Manifest(connection).callback?.capture ?? {})
  return Object.fromEntries(
    entries.flatMap(([name, from]) => {
      const { param, pattern } = typeof from === 'string' ? { param: from, pattern: undefined } : from
      const value = callback[param]
      if (typeof value !== 'string') return []
      // Anyone can write a callback URL: a value that selects a host must match the pattern of the manifest.
      if (pattern !== undefined && !matchesPattern(pattern, value, { whole: true }))
        throw new ProviderUnavailable(`The provider sent the browser back with an invalid ${param}.`)
      return [[name, value]]
    }),
  )
}
