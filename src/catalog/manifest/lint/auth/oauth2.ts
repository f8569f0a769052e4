import { findPatternFault } from '../../../../platform/safe-pattern/index.ts'
import { hostPlaceholders, secretUrls } from '../../compile/auth/secret-hosts.ts'
import { type DiagnosticReporter, pointerSegment } from '../../diagnostics.ts'
import type {
  AuthSchemeManifest,
  DcrOAuthManifest,
  JwtManifest,
  OAuth2Manifest,
  S2SOAuth2Manifest,
  ToolkitManifest,
} from '../../format/index.ts'
import { checkSign } from './signing.ts'
import { createTemplateChecks, type TemplateChecks, withNames } from './template-checks.ts'

/** Names that only requests of the OAuth exchange may use, in addition to the fields. */
export const EXCHANGE_NAMES = ['state', 'nonce', 'code', 'code_verifier', 'redirect_uri']

type OAuth = OAuth2Manifest | DcrOAuthManifest | S2SOAuth2Manifest

export const isOAuth = (scheme: AuthSchemeManifest): scheme is OAuth =>
  ['OAUTH2', 'DCR_OAUTH', 'S2S_OAUTH2'].includes(scheme.scheme)

/** Checks the requests of an OAuth scheme. */
export function checkOAuth2(
  scheme: OAuth,
  names: Map<string, boolean>,
  path: string,
  report: DiagnosticReporter,
): void {
  const checksWith = (more: readonly string[]) =>
    createTemplateChecks(withNames(names, [...EXCHANGE_NAMES, ...more]), report)
  const texts = checksWith([])
  const { token, refresh, resource } = scheme
  const { authorize, offline, client_auth: clientAuth } = scheme as Partial<OAuth2Manifest>
  const { issuer, registration } = scheme as Partial<DcrOAuthManifest>
  for (const [text, at] of [
    [authorize?.url, 'authorize/url'],
    [(token as OAuth2Manifest['token'] | undefined)?.url, 'token/url'],
    [refresh?.url, 'refresh/url'],
    [resource, 'resource'],
    [issuer, 'issuer'],
  ] as const)
    texts.one(text, `${path}/${at}`)
  for (const [map, at] of [
    [authorize?.params, 'authorize/params'],
    [token?.params, 'token/params'],
    [token?.headers, 'token/headers'],
    [refresh?.params, 'refresh/params'],
    [refresh?.headers, 'refresh/headers'],
    [offline?.params, 'offline/params'],
    [registration?.params, 'registration/params'],
  ] as const)
    texts.all(map, `${path}/${at}`)
  if (token?.assertion) checkJwt(token.assertion, texts, `${path}/token/assertion`)
  if (token?.sign) checkSign(token.sign, checksWith, `${path}/token/sign`, report)
  checkClientAuth(clientAuth, names, path, report)
  checkOffline(scheme, offline, path, report)
}

function checkClientAuth(
  clientAuth: OAuth2Manifest['client_auth'],
  names: ReadonlyMap<string, boolean>,
  path: string,
  report: DiagnosticReporter,
): void {
  const texts = createTemplateChecks(withNames(names, EXCHANGE_NAMES), report)
  if (typeof clientAuth === 'object' && 'jwt' in clientAuth) {
    const { x5t_s256_of: certificate, ...jwt } = clientAuth.jwt
    checkJwt(
      jwt,
      createTemplateChecks(new Map([...names, ['token_url', true]]), report),
      `${path}/client_auth/jwt`,
    )
    texts.one(certificate, `${path}/client_auth/jwt/x5t_s256_of`)
  } else if (typeof clientAuth === 'object') {
    texts.one(clientAuth.basic.username, `${path}/client_auth/basic/username`)
    texts.one(clientAuth.basic.password, `${path}/client_auth/basic/password`)
  }
}

/** Without one of these, a token "never expires" until the day it does, and cannot be refreshed then. */
function checkOffline(
  scheme: OAuth,
  offline: OAuth2Manifest['offline'],
  path: string,
  report: DiagnosticReporter,
): void {
  const { refresh } = scheme
  if (
    scheme.scheme === 'OAUTH2' &&
    refresh &&
    refresh.with !== 'never' &&
    refresh.with !== 'client' &&
    refresh.rotates === undefined &&
    !offline?.params &&
    !offline?.scope
  ) {
    report.add(
      `${path}/refresh`,
      'declare how a refresh token is requested (`offline.params` or `offline.scope`), or whether it ' +
        '`rotates`.',
    )
  }
}

/**
 * Checks that no value of the callback selects a host without a pattern: an attacker who makes a browser open
 * the callback URL could otherwise choose where the code, the client secret and the tokens are sent.
 */
export function checkCallbackHosts(
  scheme: OAuth,
  toolkit: ToolkitManifest,
  path: string,
  report: DiagnosticReporter,
): void {
  const { token, callback } = scheme as Partial<OAuth2Manifest>
  const free = new Set(
    Object.entries(callback?.capture ?? {})
      .filter(([, from]) => typeof from === 'string')
      .map(([name]) => name),
  )
  for (const [name, from] of Object.entries(callback?.capture ?? {}))
    if (typeof from !== 'string') {
      const fault = findPatternFault(from.pattern, { whole: true })
      if (fault) report.add(`${path}/callback/capture${pointerSegment(name)}/pattern`, `${fault}.`)
    }
  for (const [text, at] of [
    [token?.url, 'token/url'],
    [scheme.refresh?.url, 'refresh/url'],
    [scheme.revoke?.url, 'revoke/url'],
    [scheme.base_url ?? toolkit.base_url, 'base_url'],
    ...secretUrls(scheme),
  ] as const) {
    for (const { name } of hostPlaceholders(text))
      if (free.has(name))
        report.add(
          `${path}/${at}`,
          `\`${name}\` comes from the callback and selects a host. Give it a \`pattern\` in \`callback.capture\`.`,
        )
  }
}

function checkJwt(jwt: Omit<JwtManifest, 'lifetime_seconds'>, texts: TemplateChecks, path: string): void {
  for (const name of ['key', 'key_id', 'issuer', 'subject', 'audience'] as const)
    texts.one(jwt[name], `${path}/${name}`)
  texts.all(jwt.headers, `${path}/headers`)
  for (const [name, claim] of Object.entries(jwt.claims ?? {}))
    if (typeof claim === 'string') texts.one(claim, `${path}/claims${pointerSegment(name)}`)
}
