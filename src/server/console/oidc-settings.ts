import type { OidcSettings } from '../../features/members/index.ts'
import type { Config } from '../../platform/config.ts'
import { StartupError } from '../../platform/startup-error.ts'

type OidcConfig = Pick<Config, Extract<keyof Config, `consoleOidc${string}`>>

/**
 * Returns the identity provider of the console, if the settings name one.
 * @throws StartupError if the client ID is missing, or if nothing else is left to sign in with
 */
export function consoleOidc(config: OidcConfig): OidcSettings | undefined {
  const { consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = config
  if (issuer === undefined) {
    if (clientId !== undefined || config.consoleOidcOnly === '1')
      throw new StartupError(
        'CONSOLE_OIDC_CLIENT_ID or CONSOLE_OIDC_ONLY is set without CONSOLE_OIDC_ISSUER.',
        'Set CONSOLE_OIDC_ISSUER too, or none of them.',
      )
    return undefined
  }
  if (clientId === undefined)
    throw new StartupError(
      'CONSOLE_OIDC_ISSUER is set without CONSOLE_OIDC_CLIENT_ID.',
      'Set CONSOLE_OIDC_CLIENT_ID too, or neither.',
    )
  return {
    issuer,
    clientId,
    clientSecret: config.consoleOidcClientSecret,
    name: config.consoleOidcName,
    scopes: config.consoleOidcScopes,
    allowedDomains: config.consoleOidcAllowedDomains,
    trustsEmail: config.consoleOidcTrustEmail === '1',
    roleClaim: config.consoleOidcRoleClaim,
    roleMap: config.consoleOidcRoleMap,
    defaultRole: config.consoleOidcDefaultRole === 'none' ? undefined : config.consoleOidcDefaultRole,
    isOnly: config.consoleOidcOnly === '1',
  }
}
