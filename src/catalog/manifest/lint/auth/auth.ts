import { mergeSchemeFields } from '../../compile/auth/auth-fields.ts'
import { capturedValueNames } from '../../compile/auth/captured-values.ts'
import type {
  ApplyManifest,
  AuthSchemeManifest,
  DcrOAuthManifest,
  FieldManifest,
  JwtManifest,
  OAuth2Manifest,
  S2SOAuth2Manifest,
  ToolkitManifest,
} from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import { checkProbeRequest, checkIdentity, checkPostConnect, savedValueNames } from './probe-requests.ts'
import { checkNonOAuth2Scheme } from './non-oauth2-schemes.ts'
import { checkSign, checkSignAndMint } from './signing.ts'
import { hostPlaceholders } from '../../compile/auth/secret-hosts.ts'
import { checkTokenRequests, secretUrls } from './token-requests.ts'
import { checkAuthorizationFlow } from './authorization-flow.ts'
import { checkVariants, variantValueNames } from './variants.ts'
import { SCHEME_FIELDS } from '../../compile/auth/scheme-fields.ts'
import { compileTemplate } from '../../compile/template/templates.ts'

type Texts = Readonly<Record<string, string>> | undefined

/** Names that any template may use. */
const ALWAYS_SUPPLIED = ['uuid']
/** Names that only requests of the OAuth exchange may use beside the fields. */
const EXCHANGE_NAMES = ['state', 'nonce', 'code', 'code_verifier', 'redirect_uri']

type OAuth = OAuth2Manifest | DcrOAuthManifest | S2SOAuth2Manifest
const isOAuth = (scheme: AuthSchemeManifest): scheme is OAuth =>
  ['OAUTH2', 'DCR_OAUTH', 'S2S_OAUTH2'].includes(scheme.scheme)

/**
 * Rules about how one signs in that the schema cannot say. Answers the names that every listed scheme
 * supplies.
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

/** Names that at least one way to connect supplies. */
export const namesSuppliedByAnyScheme = ({ auth }: ToolkitManifest): ReadonlySet<string> =>
  new Set(auth.flatMap((scheme) => [...suppliedNames(scheme).keys()]))

/** What a scheme supplies, with whether a value is sure to be there. */
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
  checkNonOAuth2Scheme(
    scheme,
    (more) => createTemplateChecks(new Map([...names, ...more.map((name) => [name, true] as const)]), report),
    path,
    report,
  )
  if (isOAuth(scheme)) checkOAuth2(scheme, names, path, report)
  if (isOAuth(scheme))
    checkTokenRequests(
      scheme,
      (more) =>
        createTemplateChecks(new Map([...names, ...more.map((name) => [name, true] as const)]), report),
      path,
      report,
    )
  if (isOAuth(scheme)) checkCallbackHosts(scheme, toolkit, path, report)
  checkAuthorizationFlow(scheme, path, report)
  return names
}

function checkRevoke(
  scheme: AuthSchemeManifest,
  texts: ReturnType<typeof createTemplateChecks>,
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
  const checksWith = (more: readonly string[]) =>
    createTemplateChecks(new Map([...names, ...more.map((name) => [name, true] as const)]), report)
  const texts = checksWith(Object.keys(apply.mint ?? {}))
  for (const place of ['headers', 'query', 'body'] as const) texts.all(apply[place], `${path}/${place}`)
  texts.one(apply.basic?.username, `${path}/basic/username`)
  texts.one(apply.basic?.password, `${path}/basic/password`)
  checkSignAndMint(apply, (more) => checksWith([...Object.keys(apply.mint ?? {}), ...more]), path, report)
}

function checkOAuth2(
  scheme: OAuth,
  names: Map<string, boolean>,
  path: string,
  report: DiagnosticReporter,
): void {
  const checksWith = (more: readonly string[]) =>
    createTemplateChecks(
      new Map([...names, ...[...EXCHANGE_NAMES, ...more].map((name) => [name, true] as const)]),
      report,
    )
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
  // Without one of these, some provider "never expires" until the day it does, and nobody can refresh.
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
 * Whoever can have a browser open the callback address would choose where the code, the client secret and the
 * tokens go.
 */
function checkCallbackHosts(
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
    if (typeof from !== 'string' && !isRegExp(from.pattern))
      report.add(
        `${path}/callback/capture${pointerSegment(name)}/pattern`,
        'is not a valid regular expression.',
      )
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

function isRegExp(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'))
  } catch {
    return false
  }
}

function checkJwt(
  jwt: Omit<JwtManifest, 'lifetime_seconds'>,
  texts: ReturnType<typeof createTemplateChecks>,
  path: string,
): void {
  for (const name of ['key', 'key_id', 'issuer', 'subject', 'audience'] as const)
    texts.one(jwt[name], `${path}/${name}`)
  texts.all(jwt.headers, `${path}/headers`)
  for (const [name, claim] of Object.entries(jwt.claims ?? {}))
    if (typeof claim === 'string') texts.one(claim, `${path}/claims${pointerSegment(name)}`)
}

function checkFields(scheme: AuthSchemeManifest, path: string, report: DiagnosticReporter): void {
  const own = SCHEME_FIELDS[scheme.scheme]!
  const ownNames = new Set(
    [...own.auth_config_creation, ...own.connected_account_initiation].map(({ name }) => name),
  )
  for (const name of scheme.fields?.omit ?? [])
    if (!ownNames.has(name))
      report.add(`${path}/fields/omit`, `\`${name}\` is not a field of ${scheme.scheme}.`)
  for (const stage of ['auth_config_creation', 'connected_account_initiation'] as const) {
    const seen = new Set<string>()
    scheme.fields?.[stage]?.forEach((field, index) => {
      const at = `${path}/fields/${stage}${pointerSegment(index)}`
      if (seen.has(field.name)) report.add(at, `field \`${field.name}\` is declared twice; keep one.`)
      seen.add(field.name)
      if (
        field.multiline &&
        (field.enum ?? field.prefix ?? field.suffix ?? (field.type === 'string' ? undefined : field.type)) !==
          undefined
      )
        report.add(
          `${at}/multiline`,
          'is for free text only, not for a field with `enum`, `prefix`, `suffix` or another type.',
        )
      if (field.pattern === undefined) return
      try {
        const pattern = new RegExp(field.pattern, 'u')
        if (field.example !== undefined && !pattern.test(field.example))
          report.add(`${at}/example`, 'does not match `pattern`.')
      } catch {
        report.add(`${at}/pattern`, 'is not a valid regular expression.')
      }
    })
  }
}

/** Checks templates against the names that a connection supplies. */
function createTemplateChecks(names: ReadonlyMap<string, boolean>, report: DiagnosticReporter) {
  const one = (text: string | undefined, path: string): void => {
    if (text === undefined || text === '') return
    let template
    try {
      template = compileTemplate(text)
    } catch (error) {
      return report.add(path, (error as Error).message)
    }
    for (const part of template.parts) {
      if (typeof part === 'string') continue
      const used = part.alternatives.flatMap((one) => ('name' in one ? [one.name] : []))
      for (const name of used)
        if (!names.has(name) && !ALWAYS_SUPPLIED.includes(name))
          report.add(path, `no field, token or captured value is named \`${name}\`.`)
      const sure =
        part.optional ||
        used.length < part.alternatives.length ||
        used.some((name) => names.get(name) ?? true)
      if (!sure)
        report.add(
          path,
          `\`${used[0]}\` can be empty. Write a default, \`{${used[0]}||'…'}\`, or \`{${used[0]}?}\` to leave the value out.`,
        )
    }
  }
  const all = (texts: Texts, path: string): void => {
    for (const [key, text] of Object.entries(texts ?? {})) one(text, path + pointerSegment(key))
  }
  return { one, all }
}
