import { mergeSchemeFields } from '../../compile/auth/auth-fields.ts'
import type { DcrOAuthManifest, OAuth2Manifest, S2SOAuth2Manifest, StepManifest } from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import type { TemplateChecks } from './template-checks.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'

type OAuth = OAuth2Manifest | DcrOAuthManifest | S2SOAuth2Manifest

/** What follows a token request: its templates, and what it would lose or overwrite. */
export function checkTokenRequests(
  scheme: OAuth,
  checksWith: (names: readonly string[]) => TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  const { token, refresh } = scheme
  checksWith([]).one(token?.introspect?.url, `${path}/token/introspect/url`)
  if ('id_token' in scheme)
    for (const name of ['issuer', 'jwks_url'] as const)
      checksWith([]).one(scheme.id_token?.[name], `${path}/id_token/${name}`)
  checkSteps(token?.steps, checksWith, `${path}/token/steps`)
  checkSteps(refresh?.steps, checksWith, `${path}/refresh/steps`)
  if (refresh?.steps && refresh.with === 'access_token')
    report.add(
      `${path}/refresh/steps`,
      'cannot follow a refresh with the access token: after a failed step, no valid token would be known.',
    )
  if ('derived_tokens' in scheme) checkDerivedTokens(scheme, checksWith, path, report)
}

function checkSteps(
  steps: readonly StepManifest[] | undefined,
  checksWith: (names: readonly string[]) => TemplateChecks,
  path: string,
): void {
  const known: string[] = []
  steps?.forEach((step, index) => {
    const at = `${path}${pointerSegment(index)}`
    const texts = checksWith(known)
    texts.one(step.url, `${at}/url`)
    texts.all(step.params, `${at}/params`)
    texts.all(step.headers, `${at}/headers`)
    known.push(...Object.keys(step.capture ?? {}))
  })
}

function checkDerivedTokens(
  scheme: OAuth2Manifest,
  checksWith: (names: readonly string[]) => TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  const { derived_tokens: derived, refresh, token, callback } = scheme
  if (derived && (!refresh || (refresh.with ?? 'refresh_token') !== 'refresh_token'))
    report.add(
      `${path}/derived_tokens`,
      'need a refresh token. Declare `refresh` with `"with": "refresh_token"`.',
    )
  const fields = (['auth_config_creation', 'connected_account_initiation'] as const).flatMap((stage) =>
    mergeSchemeFields(scheme, stage).map(({ name }) => name),
  )
  const reserved = new Set([
    ...SCHEME_FIELDS[scheme.scheme]!.supplies,
    ...fields,
    'id_token',
    'session_token',
    ...Object.keys({ ...token.capture, ...callback?.capture }),
  ])
  derived?.forEach(({ name, params }, index) => {
    const at = `${path}/derived_tokens${pointerSegment(index)}`
    if (reserved.has(name)) report.add(`${at}/name`, `\`${name}\` is already the name of another value.`)
    reserved.add(name)
    checksWith([]).all(params, `${at}/params`)
  })
}
