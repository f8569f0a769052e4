import { GrantRefused, ProviderTrouble, type Setup, type Values } from '../scheme.ts'
import { manifestOf } from './index.ts'

const DESCRIPTION_MAX = 300

/** The code of the callback (RFC 6749 §4.1.2), or the provider's refusal as an error. */
export function callbackCode(setup: Setup, callback: Values): string {
  const { error, error_description: description } = callback
  if (typeof error === 'string') throw new GrantRefused(error, typeof description === 'string' ? `${error}: ${description.slice(0, DESCRIPTION_MAX)}` : error)
  const name = manifestOf(setup).callback?.code_param ?? 'code'
  const code = callback[name]
  if (typeof code !== 'string' || !code) throw new ProviderTrouble(`The provider sent the browser back without ${name}.`)
  return code
}

/** Tenant ids and data centres that some providers tell only here. */
export function callbackValues(setup: Setup, callback: Values): Values {
  const wanted = Object.entries(manifestOf(setup).callback?.capture ?? {})
  return Object.fromEntries(wanted.map(([name, param]) => [name, callback[param]]).filter(([, value]) => typeof value === 'string'))
}
