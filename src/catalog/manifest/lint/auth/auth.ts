import { mergeSchemeFields } from '../../compile/auth/auth-fields.ts'
import { capturedValueNames } from '../../compile/auth/captured-values.ts'
import type { ApplyManifest, AuthSchemeManifest, FieldManifest, ToolkitManifest } from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import { checkProbeRequest, checkIdentity, checkPostConnect, savedValueNames } from './probe-requests.ts'
import { checkNonOAuth2Scheme } from './non-oauth2-schemes.ts'
import { checkSignAndMint } from './signing.ts'
import { checkFields } from './fields.ts'
import { checkSetup } from './setup.ts'
import { checkCallbackHosts, checkOAuth2, EXCHANGE_NAMES, isOAuth } from './oauth2.ts'
import { ALWAYS_SUPPLIED, createTemplateChecks, type TemplateChecks, withNames } from './template-checks.ts'
import { checkTokenRequests } from './token-requests.ts'
import { checkAuthorizationFlow } from './authorization-flow.ts'
import { checkVariants, variantValueNames } from './variants.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'

/**
 * Checks the authentication schemes beyond what the format expresses. Returns the names that every scheme of
 * the list supplies.
 */
export function checkAuth(toolkit: ToolkitManifest, report: DiagnosticReporter): ReadonlySet<string> {
  const modes = new Set<string>()
  const supplied = toolkit.auth.map((scheme, index) => {
    const path = `/auth${pointerSegment(index)}`
    if (modes.has(scheme.scheme)) report.add(path, `scheme ${scheme.scheme} is declared twice; keep one.`)
    modes.add(scheme.scheme)
    return checkScheme(scheme, toolkit, path, report)
  })
  const common = supplied.reduce((all, names) => new Map([...all].filter(([name]) => names.has(name))))
  return new Set([...common.keys(), ...ALWAYS_SUPPLIED])
}

/** Returns the names that at least one scheme supplies. */
export const namesSuppliedByAnyScheme = ({ auth }: ToolkitManifest): ReadonlySet<string> =>
  new Set(auth.flatMap((scheme) => [...suppliedNames(scheme).keys()]))

/** Returns the names that a scheme supplies, with whether each value is always set. */
function suppliedNames(scheme: AuthSchemeManifest): Map<string, boolean> {
  const names = new Map<string, boolean>()
  for (const stage of ['auth_config_creation', 'connected_account_initiation'] as const) {
    for (const field of mergeSchemeFields(scheme, stage)) names.set(field.name, isAlwaysSet(field))
  }
  for (const name of SCHEME_FIELDS[scheme.scheme]!.supplies)
    if (name !== 'session_token' || ('sign_in' in scheme && scheme.sign_in)) names.set(name, true)
  if (isOAuth(scheme)) for (const name of capturedValueNames(scheme)) names.set(name, true)
  for (const variant of scheme.variants ?? [])
    for (const name of variantValueNames(variant))
      names.set(name, variant.default !== undefined || (names.get(variant.by) ?? false))
  for (const name of savedValueNames(scheme)) names.set(name, true)
  return names
}

const isAlwaysSet = (field: FieldManifest) => (field.required ?? true) || typeof field.default === 'string'

function checkScheme(
  scheme: AuthSchemeManifest,
  toolkit: ToolkitManifest,
  path: string,
  report: DiagnosticReporter,
): Map<string, boolean> {
  const names = suppliedNames(scheme)
  const texts = createTemplateChecks(names, report)
  checkFields(scheme, path, report)
  checkSetup(scheme, path, report)
  checkVariants(
    scheme,
    toolkit,
    new Set([...suppliedNames({ ...scheme, variants: [] }).keys(), ...EXCHANGE_NAMES, ...ALWAYS_SUPPLIED]),
    path,
    report,
  )
  const { apply } = scheme
  if (scheme.scheme === 'API_KEY' && !apply)
    report.add(path, '`apply` is missing. Declare the header or the query parameter of the API key.')
  if (scheme.scheme === 'NO_AUTH' && apply)
    report.add(`${path}/apply`, 'is not allowed for NO_AUTH, which has no credentials.')
  if (apply) checkApply(apply, names, `${path}/apply`, report)
  texts.one(
    scheme.base_url ?? toolkit.base_url,
    scheme.base_url === undefined ? '/base_url' : `${path}/base_url`,
  )
  if ((scheme.base_url ?? toolkit.base_url) === undefined && !toolkit.local)
    report.add(path, '`base_url` is missing. Declare it here or for the toolkit.')
  checkPostConnect(scheme, names, (known) => createTemplateChecks(known, report), path, report)
  checkProbeRequest(scheme.validate, texts, `${path}/validate`)
  checkIdentity(toolkit.identity, texts, '/identity', report)
  texts.all(toolkit.request?.headers, '/request/headers')
  checkRevoke(scheme, texts, path, report)
  checkNonOAuth2Scheme(scheme, (more) => createTemplateChecks(withNames(names, more), report), path, report)
  if (isOAuth(scheme)) checkOAuth2(scheme, names, path, report)
  if (isOAuth(scheme))
    checkTokenRequests(scheme, (more) => createTemplateChecks(withNames(names, more), report), path, report)
  if (isOAuth(scheme)) checkCallbackHosts(scheme, toolkit, path, report)
  checkAuthorizationFlow(scheme, path, report)
  return names
}

function checkRevoke(
  scheme: AuthSchemeManifest,
  texts: TemplateChecks,
  path: string,
  report: DiagnosticReporter,
): void {
  const { revoke } = scheme
  if (!revoke) return
  texts.one(revoke.url, `${path}/revoke/url`)
  texts.all(revoke.params, `${path}/revoke/params`)
  texts.all(revoke.headers, `${path}/revoke/headers`)
  if (!isOAuth(scheme) && revoke.method === undefined && revoke.params === undefined)
    report.add(
      `${path}/revoke`,
      `${scheme.scheme} has no tokens that RFC 7009 could revoke. Declare \`method\` or \`params\` of the request.`,
    )
}

function checkApply(
  apply: ApplyManifest,
  names: ReadonlyMap<string, boolean>,
  path: string,
  report: DiagnosticReporter,
): void {
  const checksWith = (more: readonly string[]) => createTemplateChecks(withNames(names, more), report)
  const texts = checksWith(Object.keys(apply.mint ?? {}))
  for (const place of ['headers', 'query', 'body'] as const) texts.all(apply[place], `${path}/${place}`)
  texts.one(apply.basic?.username, `${path}/basic/username`)
  texts.one(apply.basic?.password, `${path}/basic/password`)
  checkSignAndMint(apply, (more) => checksWith([...Object.keys(apply.mint ?? {}), ...more]), path, report)
}
