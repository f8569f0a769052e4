import type { AuthSchemeManifest, ToolkitManifest } from '../../../src/catalog/manifest/format/index.ts'

/** One fact about signing in that a manifest states. */
export interface SignInFact {
  /** `base_url`, `OAUTH2.token_url`, `API_KEY.credential`, `OAUTH2.scope` */
  readonly fact: string
  /** A URL, a scope, or the place of a credential: `header authorization bearer`, `query api_key`. */
  readonly value: string
}

/** Where the schemes without `apply` put their credential. */
const DEFAULT_CREDENTIALS: Readonly<Record<string, string>> = {
  BEARER_TOKEN: 'header authorization bearer',
  BASIC: 'header authorization basic',
}
const OAUTH = new Set(['OAUTH2', 'OAUTH1', 'DCR_OAUTH', 'S2S_OAUTH2'])
const SECRET = /\{\+?(generic_api_key|token|access_token|api_key|password|username|session_token)\b/

/** Returns the facts of a manifest whose family is written out, in the order of the manifest. */
export function signInFacts(toolkit: ToolkitManifest): SignInFact[] {
  const base = toolkit.base_url === undefined ? [] : [{ fact: 'base_url', value: toolkit.base_url }]
  return [...base, ...toolkit.auth.flatMap(factsOfScheme)]
}

function factsOfScheme(scheme: AuthSchemeManifest): SignInFact[] {
  const { authorize, token, refresh, base_url, scopes } = scheme as {
    readonly authorize?: { readonly url?: string }
    readonly token?: { readonly url?: string }
    readonly refresh?: { readonly url?: string }
    readonly base_url?: string
    readonly scopes?: { readonly default?: readonly string[] }
  }
  const facts: [name: string, value: string | undefined][] = [
    ['base_url', base_url],
    ['authorize_url', authorize?.url],
    ['token_url', token?.url],
    ['refresh_url', refresh?.url],
    ...(scopes?.default ?? []).map((scope): [string, string] => ['scope', scope]),
    ...(OAUTH.has(scheme.scheme) ? [] : credentialsOf(scheme)).map((place): [string, string] => [
      'credential',
      place,
    ]),
  ]
  return facts.flatMap(([name, value]) =>
    value === undefined ? [] : { fact: `${scheme.scheme}.${name}`, value },
  )
}

/** Returns the places of the credentials in a request. */
function credentialsOf({ scheme, apply }: AuthSchemeManifest): string[] {
  const {
    headers = {},
    query = {},
    basic,
  } = (apply ?? {}) as {
    readonly headers?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly basic?: object
  }
  if (!apply) return DEFAULT_CREDENTIALS[scheme] === undefined ? [] : [DEFAULT_CREDENTIALS[scheme]]
  const secrets = (record: Readonly<Record<string, string>>) =>
    Object.entries(record).filter(([, value]) => SECRET.test(value))
  return [
    ...(basic ? ['header authorization basic'] : []),
    ...secrets(headers).map(([name, value]) => headerPlace(name, value)),
    ...secrets(query).map(([name]) => `query ${name}`),
  ]
}

/** `authorization` with `Bearer {token}` is `header authorization bearer`. */
export function headerPlace(name: string, value: string): string {
  const prefix = /^([A-Za-z][\w-]*)[ :=]/.exec(value)?.[1] ?? ''
  return `header ${name} ${prefix}`.trim().toLowerCase()
}
