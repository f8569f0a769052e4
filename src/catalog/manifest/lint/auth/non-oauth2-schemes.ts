import type { AuthSchemeManifest, SessionManifest } from '../../format/index.ts'
import type { DiagnosticReporter } from '../../diagnostics.ts'
import { checkJwt } from './signing.ts'
import type { TemplateChecks } from './template-checks.ts'

/** Rules about the exchanges of schemes other than OAuth 2. */
export function checkNonOAuth2Scheme(
  scheme: AuthSchemeManifest,
  checksWith: (names: readonly string[]) => TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  const texts = checksWith([])
  switch (scheme.scheme) {
    case 'BASIC':
    case 'BASIC_WITH_JWT':
      if (scheme.sign_in) checkSession(scheme.sign_in, texts, `${path}/sign_in`, report)
      return
    case 'SERVICE_ACCOUNT':
      checkJwt(scheme.mint, texts, `${path}/mint`, report)
      return checkSession(scheme.token, checksWith(['app_jwt']), `${path}/token`, report)
    case 'OAUTH1':
      for (const step of ['request_token', 'authorize', 'access_token'] as const)
        texts.one(scheme[step].url, `${path}/${step}/url`)
      texts.all(scheme.authorize.params, `${path}/authorize/params`)
      return texts.one(scheme.realm, `${path}/realm`)
    case 'GOOGLE_SERVICE_ACCOUNT':
      if (scheme.token && !/^https?:\/\/[^{]+$/.test(scheme.token.url))
        report.add(`${path}/token/url`, 'must be a fixed URL.')
      return
    default:
  }
}

function checkSession(
  session: SessionManifest,
  texts: TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  texts.one(session.path, `${path}/path`)
  texts.all(session.params, `${path}/params`)
  texts.all(session.headers, `${path}/headers`)
  const places = [session.token, session.token_from_cookie, session.token_from_header].filter(
    (place) => place !== undefined,
  )
  if (places.length !== 1)
    report.add(path, 'declare where the token is: one of `token`, `token_from_cookie`, `token_from_header`.')
}
