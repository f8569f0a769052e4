import { GrantRejected, ProviderTrouble, type ConnectionContext, type Values } from '../scheme.ts'
import { manifestOf } from './index.ts'

const DESCRIPTION_MAX = 300
const CODE_MAX = 100

/** The code of the callback (RFC 6749 §4.1.2), or the provider's refusal as an error. */
export function callbackCode(setup: ConnectionContext, callback: Values): string {
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
  } = manifestOf(setup)
  const code = callback[name]
  if (authorize.flow === 'install' && callback['setup_action'] === 'request')
    throw new GrantRejected(
      'approval_pending',
      'The installation waits for the approval of an administrator.',
    )
  if (authorize.flow === 'admin_consent' && String(callback['admin_consent']).toLowerCase() !== 'true')
    throw new GrantRejected('consent_missing', 'No administrator allowed the access.')
  if (typeof code !== 'string' || !code)
    throw new ProviderTrouble(`The provider sent the browser back without ${name}.`)
  return code
}

/** Tenant ids and data centres that some providers tell only here. */
export function callbackValues(setup: ConnectionContext, callback: Values): Values {
  const wanted = Object.entries(manifestOf(setup).callback?.capture ?? {})
  return Object.fromEntries(
    wanted.flatMap(([name, from]) => {
      const { param, pattern } = typeof from === 'string' ? { param: from, pattern: undefined } : from
      const value = callback[param]
      if (typeof value !== 'string') return []
      // Anybody can write an address: a value that chooses a host must be one of the provider's.
      if (pattern !== undefined && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
        throw new ProviderTrouble(`The provider sent the browser back with a ${param} that it cannot have.`)
      return [[name, value]]
    }),
  )
}
