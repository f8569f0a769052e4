import { mergeSchemeFields } from '../../compile/auth/auth-fields.ts'
import type { AuthSchemeManifest } from '../../format/index.ts'
import type { DiagnosticReporter } from '../../diagnostics.ts'
import { compileTemplate } from '../../compile/template/templates.ts'

/**
 * Rules about walks that are no authorization request, or end otherwise than by a redirect with state and
 * code.
 */
export function checkAuthorizationFlow(
  scheme: AuthSchemeManifest,
  path: string,
  report: DiagnosticReporter,
): void {
  if (scheme.scheme === 'DCR_OAUTH') {
    if (scheme.authorize?.flow) report.add(`${path}/authorize/flow`, 'is only for OAUTH2.')
    for (const name of ['state_from', 'source', 'webhook'] as const)
      if (scheme.callback?.[name] !== undefined) report.add(`${path}/callback/${name}`, 'is only for OAUTH2.')
  }
  if (scheme.scheme !== 'OAUTH2') return
  const {
    authorize: { flow },
    callback,
    refresh,
    token,
  } = scheme
  const needsBrowser = flow === 'inbound_install'
  if (needsBrowser && callback?.state_from !== 'cookie')
    report.add(`${path}/callback`, '`state_from` must be `cookie`: an inbound installation returns no state.')
  if (!needsBrowser && callback?.state_from)
    report.add(
      `${path}/callback/state_from`,
      'is only for `authorize.flow: inbound_install`; other flows return a state.',
    )
  if ((callback?.source === undefined) !== (callback?.webhook === undefined))
    report.add(`${path}/callback`, 'must have both `source: webhook` and `webhook`, or neither.')
  if (callback?.source && flow === 'admin_consent')
    report.add(`${path}/callback/source`, 'is not allowed for `admin_consent`, which returns no code.')
  if (callback?.webhook)
    checkWebhookKey(scheme, callback.webhook.signature.key, `${path}/callback/webhook/signature/key`, report)
  if (flow === 'admin_consent' && refresh?.with !== 'client')
    report.add(
      `${path}/refresh`,
      'must have `"with": "client"`: after `admin_consent` the client requests every token itself.',
    )
  if (
    flow === 'admin_consent' &&
    token.grant_type !== undefined &&
    ['authorization_code', 'refresh_token'].includes(token.grant_type)
  )
    report.add(
      `${path}/token/grant_type`,
      'is not allowed for `admin_consent`, which has no code and no refresh token.',
    )
}

/**
 * The connection is unknown when its webhook arrives: the key comes from the auth config, and is never a text
 * that readers of the manifest know.
 */
function checkWebhookKey(
  scheme: AuthSchemeManifest,
  key: string,
  path: string,
  report: DiagnosticReporter,
): void {
  const configured = new Set(
    mergeSchemeFields(scheme, 'auth_config_creation')
      .filter(({ secret, required }) => secret && (required ?? true))
      .map(({ name }) => name),
  )
  try {
    const { names, required } = compileTemplate(key)
    if (!required.length || names.some((name) => !configured.has(name)))
      report.add(
        path,
        `must use only secret, required fields of the auth config: ${[...configured].join(', ')}.`,
      )
  } catch (error) {
    report.add(path, (error as Error).message)
  }
}
