import { mergeSchemeFields } from './auth-fields.ts'
import { capturedValueNames } from './captured-values.ts'
import type {
  ApplyManifest,
  AuthSchemeManifest,
  BearerTokenManifest,
  FieldManifest,
  OAuth2Manifest,
  S2SOAuth2Manifest,
  ToolkitManifest,
} from '../../format/index.ts'
import { pointerSegment, type DiagnosticReporter } from '../../diagnostics.ts'
import type { CompiledScheme, Template, Toolkit } from '../../../types/index.ts'
import { SCHEME_FIELDS } from './scheme-fields.ts'
import { compileTemplate } from '../template/templates.ts'

/** Where credentials go when a manifest does not say. An API key has no usual place. */
const DEFAULT_APPLY: Readonly<Record<string, ApplyManifest>> = {
  OAUTH2: { headers: { authorization: 'Bearer {access_token}' } },
  DCR_OAUTH: { headers: { authorization: 'Bearer {access_token}' } },
  S2S_OAUTH2: { headers: { authorization: 'Bearer {access_token}' } },
  BEARER_TOKEN: { headers: { authorization: 'Bearer {token}' } },
  BASIC_WITH_JWT: { headers: { authorization: 'Bearer {session_token}' } },
  GOOGLE_SERVICE_ACCOUNT: { headers: { authorization: 'Bearer {access_token}' } },
  SERVICE_ACCOUNT: { headers: { authorization: 'Bearer {access_token}' } },
  BASIC: { basic: { username: '{username}', password: "{password||''}" } },
}

/** The manifest entry of a mode (any case), the BEARER_TOKEN that comes with OAUTH2 included. */
export function findScheme(toolkit: Toolkit, mode: string): AuthSchemeManifest | undefined {
  return findCompiledScheme(toolkit, mode)?.manifest
}

/** As `schemeOf`, with its templates compiled. */
export function findCompiledScheme(toolkit: Toolkit, mode: string): CompiledScheme | undefined {
  const usedOrSelecting = mode.toUpperCase()
  return toolkit.schemes.find((scheme) => scheme.mode === usedOrSelecting)
}

/**
 * Compiles the schemes of a toolkit. `needed` are the names that its own templates and requests take from a
 * connection.
 */
export function compileSchemes(
  toolkit: ToolkitManifest,
  needed: ReadonlySet<string>,
  report: DiagnosticReporter,
): CompiledScheme[] {
  const schemes = toolkit.auth.map((scheme, index) =>
    compileScheme(scheme, toolkit, false, `/auth${pointerSegment(index)}`, report),
  )
  const oauth = sourceOfImplicitBearer(toolkit)
  if (oauth) {
    // What is wrong in it was reported for the entry it comes from.
    schemes.push(compileScheme(implicitBearer(oauth, toolkit, needed), toolkit, true, '', { add() {} }))
  }
  return schemes
}

/** Returns the modes of the schemes that `compileSchemes` returns, in the same order, without compiling them. */
export function schemeModes(toolkit: Pick<ToolkitManifest, 'auth'>): string[] {
  const modes: string[] = toolkit.auth.map(({ scheme }) => scheme)
  return sourceOfImplicitBearer(toolkit) ? [...modes, 'BEARER_TOKEN'] : modes
}

/** Returns the OAuth scheme whose token can be brought along; undefined where the toolkit has a scheme for that. */
const sourceOfImplicitBearer = ({ auth }: Pick<ToolkitManifest, 'auth'>) =>
  auth.some(({ scheme }) => scheme === 'BEARER_TOKEN')
    ? undefined
    : (auth.find((scheme) => scheme.scheme === 'OAUTH2') ??
      auth.find((scheme) => scheme.scheme === 'S2S_OAUTH2'))

/**
 * A token brought along is used as an access token would be. What the OAuth exchange would have captured (an
 * instance address, a site id) nobody captures now, so it becomes a field.
 */
function implicitBearer(
  oauth: OAuth2Manifest | S2SOAuth2Manifest,
  toolkit: ToolkitManifest,
  needed: ReadonlySet<string>,
): BearerTokenManifest {
  const asToken = (text: string) => text.replace(/(?<=[{|+]\s*)access_token(?=\s*[|?}])/g, 'token')
  const asTokens = (texts: Record<string, string> | undefined) =>
    texts && Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, asToken(text)]))
  const { headers, query, body, basic, mint, sign } = oauth.apply ?? DEFAULT_APPLY.OAUTH2!
  // Who brings a token needs no client.
  const own = mergeSchemeFields(oauth, 'connected_account_initiation').filter(
    ({ name }) => !SCHEME_FIELDS[oauth.scheme]!.connected_account_initiation.some((one) => one.name === name),
  )
  const used = new Set([
    ...needed,
    ...templateNames(oauth.base_url ?? toolkit.base_url),
    ...[headers, query, body].flatMap((texts) => Object.values(texts ?? {}).flatMap(templateNames)),
  ])
  const variants = (oauth.variants ?? []).filter(({ values }) =>
    Object.values(values).some((brought) => Object.keys(brought).some((name) => used.has(name))),
  )
  const usedOrSelecting = new Set([...used, ...variants.map(({ by }) => by)])
  const asked = own.filter(
    ({ name }) => usedOrSelecting.has(name) || !oauth.variants?.some(({ by }) => by === name),
  )
  const ownNames = new Set(SCHEME_FIELDS[oauth.scheme]!.auth_config_creation.map(({ name }) => name))
  const configured = (oauth.fields?.auth_config_creation ?? []).filter(
    ({ name }) => usedOrSelecting.has(name) && !ownNames.has(name),
  )
  const fields: FieldManifest[] = [
    ...asked,
    ...capturedValueNames(oauth)
      .filter((name) => usedOrSelecting.has(name))
      .map((name): FieldManifest => ({
        name,
        display_name: name.replaceAll('_', ' '),
        description: `The \`${name}\` that the provider returned with the token.`,
      })),
  ]
  return {
    scheme: 'BEARER_TOKEN',
    fields: { auth_config_creation: configured, connected_account_initiation: fields },
    ...(variants.length > 0 && { variants }),
    ...(oauth.base_url !== undefined && { base_url: oauth.base_url }),
    ...(oauth.hint_url !== undefined && { hint_url: oauth.hint_url }),
    ...(oauth.validate !== undefined && { validate: oauth.validate }),
    ...(oauth.post_connect !== undefined && {
      post_connect: JSON.parse(asToken(JSON.stringify(oauth.post_connect))),
    }),
    apply: {
      ...(headers && { headers: asTokens(headers)! }),
      ...(query && { query: asTokens(query)! }),
      ...(body && { body: asTokens(body)! }),
      ...(basic && { basic: { username: asToken(basic.username), password: asToken(basic.password) } }),
      ...(mint && { mint: JSON.parse(asToken(JSON.stringify(mint))) }),
      ...(sign && { sign: JSON.parse(asToken(JSON.stringify(sign))) }),
    },
  }
}

function templateNames(text: string | undefined): readonly string[] {
  try {
    return compileTemplate(text ?? '').names
  } catch {
    return []
  }
}

function compileScheme(
  manifest: AuthSchemeManifest,
  toolkit: ToolkitManifest,
  implicit: boolean,
  path: string,
  report: DiagnosticReporter,
): CompiledScheme {
  const apply = manifest.apply ?? DEFAULT_APPLY[manifest.scheme] ?? {}
  const compile = (text: string, at: string) => compileTemplateOrReport(text, `${path}${at}`, report)
  const list = (texts: Record<string, string> | undefined, at: string) =>
    compileTemplates(texts, `${path}/apply/${at}`, report)
  const baseUrl = manifest.base_url ?? toolkit.base_url
  return {
    mode: manifest.scheme,
    manifest,
    implicit,
    baseUrl: baseUrl === undefined ? undefined : compile(baseUrl, '/base_url'),
    headers: list(apply.headers, 'headers').map(({ name, value }) => ({ name: name.toLowerCase(), value })),
    query: list(apply.query, 'query'),
    body: list(apply.body, 'body'),
    basic: apply.basic && {
      username: compile(apply.basic.username, '/apply/basic/username'),
      password: compile(apply.basic.password, '/apply/basic/password'),
    },
  }
}

/** Compiles a map of template texts. */
export function compileTemplates(
  texts: Record<string, string> | undefined,
  path: string,
  report: DiagnosticReporter,
): { name: string; value: Template }[] {
  return Object.entries(texts ?? {}).map(([name, text]) => ({
    name,
    value: compileTemplateOrReport(text, path + pointerSegment(name), report),
  }))
}

export function compileTemplateOrReport(text: string, path: string, report: DiagnosticReporter): Template {
  try {
    return compileTemplate(text)
  } catch (error) {
    report.add(path, (error as Error).message)
    return compileTemplate('')
  }
}
