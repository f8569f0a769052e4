import type { AuthSchemeManifest, FieldManifest, ToolManifest } from '../../manifest/format/index.ts'
import type { Alternative, ApiModel, Operation, SecurityScheme } from '../model.ts'
import { scopesOf } from './scopes.ts'
import { type Address, fieldName } from '../openapi/servers.ts'
import { inWords, plainText } from '../tools/words.ts'

type Named<K extends SecurityScheme['kind']> = {
  readonly name: string
  readonly scheme: Extract<SecurityScheme, { kind: K }>
}
type KeyScheme = Named<'key'>

/** How one signs in to the toolkit, and what that means for each operation. */
export interface Auth {
  readonly schemes: AuthSchemeManifest[]
  /** What cannot be said or was left out, for the report. */
  readonly notes: string[]
  /** Parameters that the connection sends; a tool must not ask for them. */
  isCredential(where: string, name: string): boolean
  /** How the operation is protected; `unsupported` when no connection of ours could call it. */
  of(operation: Operation): {
    unsupported?: string
    noAuth: boolean
    scopes: ToolManifest['scopes'] | undefined
  }
}

/**
 * Turns the security schemes that operations use into schemes of a manifest, each kind at most once: the one
 * that most operations take.
 */
export function authOf(model: ApiModel, address: Address): Auth {
  const notes: string[] = []
  const schemes = declaredOrImplied(model)
  const alternativesOf = alternativesFor(model, schemes, notes)
  const uses = new Map<string, number>()
  for (const operation of model.operations)
    for (const name of new Set(alternativesOf(operation).flatMap((one) => [...one.keys()])))
      uses.set(name, (uses.get(name) ?? 0) + 1)
  const used = [...schemes]
    .filter(([name]) => uses.has(name))
    .map(([name, scheme]) => ({ name, scheme }))
    .sort((a, b) => uses.get(b.name)! - uses.get(a.name)! || (a.name < b.name ? -1 : 1))
  const of = <K extends SecurityScheme['kind']>(kind: K) =>
    used.filter((one): one is Named<K> => one.scheme.kind === kind)
  const keys = of('key')
  const alternatives = model.operations.flatMap(alternativesOf)
  const alone = keysAlone(alternatives, keys)
  const companionKeys = (name: string) => companions(name, alternatives, keys)
  const made: AuthSchemeManifest[] = []
  for (const [kind, found] of [
    ['OAuth 2', of('oauth2')],
    ['basic', of('basic')],
    ['bearer', of('bearer')],
  ] as const) {
    if (found.length > 1)
      notes.push(
        `Of ${found.length} ${kind} schemes, \`${found[0]!.name}\` is used; the others are left out.`,
      )
  }
  const oauth = of('oauth2').find(
    ({ scheme }) =>
      endpoint(scheme.code?.authorizationUrl, address) && endpoint(scheme.code?.tokenUrl, address),
  )
  const machine = of('oauth2').find(({ scheme }) => endpoint(scheme.client?.tokenUrl, address))
  const scopesUsed = needed(model.operations, alternativesOf, schemes)
  if (oauth) made.push(oauth2(oauth, scopesUsed, companionKeys(oauth.name), address))
  if (machine) made.push(clientCredentials(machine, scopesUsed, companionKeys(machine.name), address))
  const [basic] = of('basic')
  if (basic) made.push(withKeys({ scheme: 'BASIC' }, companionKeys(basic.name), {}))
  const [bearer] = of('bearer')
  const [token] = of('oauth2')
  if (bearer)
    made.push(
      withKeys(
        { scheme: 'BEARER_TOKEN' },
        companionKeys(bearer.name),
        bearer.scheme.word === 'Bearer' ? {} : { authorization: `${bearer.scheme.word} {token}` },
      ),
    )
  // Without endpoints of the code flow, a token that the user got elsewhere is the way.
  else if (token && !oauth && !machine)
    made.push(withKeys({ scheme: 'BEARER_TOKEN' }, companionKeys(token.name), {}))
  if (alone.length > 0) made.push(apiKey(alone, model.service, address))
  if (made.length === 0)
    made.push(
      address.needsConnection
        ? { scheme: 'API_KEY', name: 'Address only', fields: { omit: ['generic_api_key'] }, apply: {} }
        : { scheme: 'NO_AUTH' },
    )
  const supported = new Set(
    [...of('oauth2'), ...of('basic'), ...of('bearer'), ...keys].map(({ name }) => name),
  )
  const credentials = new Set(keys.map(({ scheme }) => `${scheme.in}\n${scheme.name.toLowerCase()}`))
  // A token may also be in the query (RFC 6750 §2.3); Patchbay sends it in the header.
  const tokens = [...of('oauth2'), ...of('bearer')].length > 0
  const open = made.length === 1 && made[0]!.scheme === 'NO_AUTH'
  return {
    schemes: made.map((one) => withAddress(one, address)),
    notes,
    isCredential: (where, name) =>
      credentials.has(`${where}\n${name.toLowerCase()}`) ||
      (tokens && where === 'query' && /^(access_token|oauth_token)$/i.test(name)),
    of(operation) {
      const all = alternativesOf(operation)
      if (all.length === 0 || all.some((one) => one.size === 0))
        return { noAuth: !open && all.length === 0 && operation.security !== undefined, scopes: undefined }
      const possible = all.filter((one) => [...one.keys()].every((name) => supported.has(name)))
      if (possible.length === 0)
        return {
          unsupported: [...new Set(all.flatMap((one) => [...one.keys()]))].join(', '),
          noAuth: false,
          scopes: undefined,
        }
      const withScopes = possible.filter((one) =>
        [...one.keys()].some((name) => schemes.get(name)?.kind === 'oauth2'),
      )
      return { noAuth: false, scopes: scopesOf(withScopes.map((one) => oauthScopes(one, schemes))) }
    },
  }
}

/**
 * Auth schemes from the caller replace those of the document. What they send is not an argument of a tool,
 * and no operation is rejected for lack of a scheme.
 */
export function mergeAuthOverrides(
  overrides: readonly AuthSchemeManifest[],
  declared: Auth,
  address: Address,
): Auth {
  const sent = new Set(
    overrides.flatMap(({ apply }) => [
      ...Object.keys(apply?.headers ?? {}).map((name) => `header\n${name.toLowerCase()}`),
      ...Object.keys(apply?.query ?? {}).map((name) => `query\n${name.toLowerCase()}`),
    ]),
  )
  const scoped = overrides.some(
    ({ scheme }) => scheme === 'OAUTH2' || scheme === 'DCR_OAUTH' || scheme === 'S2S_OAUTH2',
  )
  const open = overrides.every(({ scheme }) => scheme === 'NO_AUTH')
  return {
    schemes: overrides.map((one) => withAddress(one, address)),
    notes: [],
    isCredential: (where, name) => sent.has(`${where}\n${name.toLowerCase()}`),
    of(operation) {
      const { noAuth, scopes } = declared.of(operation)
      return { noAuth: noAuth && !open, scopes: scoped ? scopes : undefined }
    },
  }
}

const WHOLE_AUTHORIZATION =
  'Whole value of the Authorization header, its first word included, e.g. `Bearer <token>`.'

/** A key in this header is sent as it is entered, without a first word such as Bearer. */
const isAuthorization = (key: { in: string; name: string }) =>
  key.in === 'header' && key.name.toLowerCase() === 'authorization'

/** Describes the field of the first key; without a description the field of the scheme itself is used. */
function describeFirstKey(name: string, key: SecurityScheme | undefined): FieldManifest[] {
  if (key?.kind !== 'key') return []
  const texts = [
    key.description && plainText(key.description, 300),
    isAuthorization(key) && key.description !== WHOLE_AUTHORIZATION && WHOLE_AUTHORIZATION,
  ].filter(Boolean)
  if (texts.length === 0) return []
  return [{ name, display_name: 'API key', description: texts.join(' '), secret: true }]
}

/** Documents without any scheme whose operations take an Authorization header mean one all the same. */
function declaredOrImplied(model: ApiModel): ReadonlyMap<string, SecurityScheme> {
  if (model.schemes.size > 0) return model.schemes
  const asks = model.operations.some(({ parameters }) =>
    parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === 'authorization'),
  )
  return asks
    ? new Map([
        [
          'authorization',
          {
            kind: 'key',
            in: 'header',
            name: 'Authorization',
            aws: false,
            description: WHOLE_AUTHORIZATION,
          },
        ],
      ])
    : model.schemes
}

/**
 * The alternatives of an operation. Where a document declares schemes and never says which operation needs
 * them, all of them may.
 */
function alternativesFor(model: ApiModel, schemes: ReadonlyMap<string, SecurityScheme>, notes: string[]) {
  const silent =
    schemes.size > 0 &&
    model.operations.every(
      ({ security }) => security === undefined || security.every((one) => one.size === 0),
    )
  if (silent)
    notes.push(
      'The document declares how to sign in, but not for which operations; every tool takes a connection.',
    )
  const implied: Alternative[] = silent ? [...schemes.keys()].map((name) => new Map([[name, []]])) : []
  return ({ security }: Operation): readonly Alternative[] =>
    silent ? implied : (security ?? []).map((one) => new Map([...one].filter(([name]) => schemes.has(name))))
}

/**
 * Keys that are needed where nothing but keys signs in: the most used first, and only as many as every
 * operation is served.
 */
function keysAlone(
  alternatives: readonly Alternative[],
  keys: readonly KeyScheme[],
): { key: KeyScheme; always: boolean }[] {
  const names = new Map(keys.map((key) => [key.name, key]))
  const sets = alternatives
    .filter((one) => one.size > 0 && [...one.keys()].every((name) => names.has(name)))
    .map((one) => [...one.keys()])
  const chosen = new Set<string>()
  const order = new Map(keys.map(({ name }, index) => [name, index]))
  const places = new Set<string>()
  for (const set of [...sets].sort((a, b) => a.length - b.length || order.get(a[0]!)! - order.get(b[0]!)!)) {
    for (const name of set) {
      // The same key in the header or in the query is one key.
      const id =
        set.length === 1
          ? names
              .get(name)!
              .scheme.name.toLowerCase()
              .replace(/[^a-z0-9]/g, '')
          : name
      if (chosen.has(name) || places.has(id)) continue
      chosen.add(name)
      places.add(id)
    }
  }
  return [...chosen]
    .sort((a, b) => order.get(a)! - order.get(b)!)
    .map((name) => ({ key: names.get(name)!, always: sets.every((set) => set.includes(name)) }))
}

/** Keys that go along with a scheme. */
function companions(
  name: string,
  alternatives: readonly Alternative[],
  keys: readonly KeyScheme[],
): { key: KeyScheme; always: boolean }[] {
  const sets = alternatives.filter((one) => one.has(name))
  return keys.flatMap((key) => {
    const count = sets.filter((one) => one.has(key.name)).length
    return count === 0 ? [] : [{ key, always: count === sets.length }]
  })
}

const PLACES = { header: 'headers', query: 'query' } as const

/** Adds the fields and places of keys to what a scheme applies. */
function withKeys<T extends AuthSchemeManifest>(
  scheme: T,
  keys: readonly { key: KeyScheme; always: boolean }[],
  headers: Record<string, string>,
  first?: string,
): T {
  const apply: { headers: Record<string, string>; query: Record<string, string> } = {
    headers: { ...headers },
    query: {},
  }
  const fields: FieldManifest[] = []
  const cookies: string[] = []
  keys.forEach(({ key: { scheme: key }, always }, index) => {
    const name = index === 0 && first !== undefined ? first : fieldName(key.name)
    if (index > 0 || first === undefined) {
      if (fields.some((field) => field.name === name)) return
      fields.push({
        name,
        display_name: inWords(key.name),
        description: plainText(key.description ?? '', 300) || `Value of \`${key.name}\`.`,
        secret: true,
        ...(!always && { required: false }),
      })
    }
    const place = always || (index === 0 && first !== undefined) ? `{${name}}` : `{${name}?}`
    if (key.in === 'cookie') cookies.push(`${key.name.replaceAll('{', '')}=${place}`)
    else apply[PLACES[key.in]][key.in === 'header' ? key.name.toLowerCase() : key.name] = place
  })
  if (cookies.length > 0) apply.headers['cookie'] = cookies.join('; ')
  const own: FieldManifest[] = first === undefined ? [] : describeFirstKey(first, keys[0]?.key.scheme)
  const asked = [...own, ...fields]
  const query = Object.keys(apply.query).length > 0
  return {
    ...scheme,
    ...(asked.length > 0 && { fields: { connected_account_initiation: asked } }),
    ...((Object.keys(apply.headers).length > 0 || query) && {
      apply: {
        ...defaults(scheme, apply.headers),
        ...(Object.keys(apply.headers).length > 0 && { headers: defaultHeaders(scheme, apply.headers) }),
        ...(query && { query: apply.query }),
      },
    }),
  }
}

/** A scheme's default headers must be declared as soon as the scheme declares other headers. */
const defaultHeaders = (
  scheme: AuthSchemeManifest,
  headers: Record<string, string>,
): Record<string, string> => {
  if ('authorization' in headers) return headers
  const token =
    scheme.scheme === 'BEARER_TOKEN'
      ? 'token'
      : scheme.scheme === 'OAUTH2' || scheme.scheme === 'S2S_OAUTH2'
        ? 'access_token'
        : undefined
  return token === undefined ? headers : { authorization: `Bearer {${token}}`, ...headers }
}
const defaults = (scheme: AuthSchemeManifest, _: Record<string, string>) =>
  scheme.scheme === 'BASIC' ? { basic: { username: '{username}', password: "{password||''}" } } : {}

function apiKey(
  keys: readonly { key: KeyScheme; always: boolean }[],
  service: string | undefined,
  address: Address,
): AuthSchemeManifest {
  const [first] = keys
  if (first!.key.scheme.aws) return awsSignature(service, address)
  return withKeys({ scheme: 'API_KEY' }, keys, {}, 'generic_api_key')
}

/** AWS documents call their signature a key in a header. */
function awsSignature(service: string | undefined, address: Address): AuthSchemeManifest {
  const region = address.fields.find(({ name }) => name === 'region')
  const name = service ?? /^https?:\/\/([a-z0-9-]+)/.exec(address.template)?.[1] ?? 'execute-api'
  return {
    scheme: 'API_KEY',
    name: 'AWS access key',
    fields: {
      omit: ['generic_api_key'],
      connected_account_initiation: [
        {
          name: 'access_key_id',
          display_name: 'Access key id',
          description: 'Access key id of an AWS user or role.',
        },
        {
          name: 'secret_access_key',
          display_name: 'Secret access key',
          description: 'Its secret access key.',
          secret: true,
        },
        {
          name: 'session_token',
          display_name: 'Session token',
          description: 'Session token of temporary credentials.',
          secret: true,
          required: false,
        },
        ...(region
          ? []
          : [
              {
                name: 'region',
                display_name: 'Region',
                description: 'AWS region that signatures name.',
                required: false,
                default: 'us-east-1',
              },
            ]),
      ],
    },
    apply: {
      sign: {
        kind: 'aws_sigv4',
        service: name.replace(/[^A-Za-z0-9-]/g, ''),
        region: "{region||'us-east-1'}",
        access_key_id: '{access_key_id}',
        secret_access_key: '{secret_access_key}',
        session_token: '{session_token?}',
      },
    },
  }
}

const DEFAULT_SCOPES_MAX = 20

function oauth2(
  { scheme }: Named<'oauth2'>,
  scopes: readonly string[],
  keys: readonly { key: KeyScheme; always: boolean }[],
  address: Address,
): AuthSchemeManifest {
  const code = scheme.code!
  const renewal = endpoint(code.refreshUrl, address)
  return withKeys(
    {
      scheme: 'OAUTH2',
      authorize: { url: endpoint(code.authorizationUrl, address)! },
      token: { url: endpoint(code.tokenUrl, address)! },
      refresh: { rotates: 'sometimes', ...(renewal !== undefined && { url: renewal }) },
      ...scopesKeyword(code.scopes, scopes),
    },
    keys,
    {},
  )
}

function clientCredentials(
  { scheme }: Named<'oauth2'>,
  scopes: readonly string[],
  keys: readonly { key: KeyScheme; always: boolean }[],
  address: Address,
): AuthSchemeManifest {
  return withKeys(
    {
      scheme: 'S2S_OAUTH2',
      token: { url: endpoint(scheme.client!.tokenUrl, address)! },
      ...scopesKeyword(scheme.client!.scopes, scopes),
    },
    keys,
    {},
  )
}

function scopesKeyword(available: readonly string[], used: readonly string[]) {
  const known = available.filter((scope) => scope.trim() !== '')
  const byDefault = used.filter((scope) => known.length === 0 || known.includes(scope))
  return known.length === 0 && byDefault.length === 0
    ? {}
    : {
        scopes: {
          ...(known.length > 0 && { available: [...known] }),
          ...(byDefault.length > 0 && byDefault.length <= DEFAULT_SCOPES_MAX && { default: [...byDefault] }),
        },
      }
}

/** The scopes with which every tool can be called: of alternatives, the first. */
function needed(
  operations: readonly Operation[],
  alternativesOf: (operation: Operation) => readonly Alternative[],
  schemes: ReadonlyMap<string, SecurityScheme>,
): string[] {
  const found = new Set<string>()
  for (const operation of operations) {
    const sets = alternativesOf(operation)
      .filter((one) => [...one.keys()].some((name) => schemes.get(name)?.kind === 'oauth2'))
      .map((one) => oauthScopes(one, schemes))
    if (sets.length === 0 || sets.some((set) => set.every((scope) => found.has(scope)))) continue
    for (const scope of sets[0]!) found.add(scope)
  }
  return [...found].sort()
}

const oauthScopes = (alternative: Alternative, schemes: ReadonlyMap<string, SecurityScheme>) => [
  ...new Set(
    [...alternative].flatMap(([name, scopes]) =>
      schemes.get(name)?.kind === 'oauth2' ? scopes.filter((scope) => scope.trim() !== '') : [],
    ),
  ),
]

/**
 * An address of a flow; relative ones continue that of the API, if it is fixed. Braces would be places of a
 * template.
 */
function endpoint(url: string | undefined, { template }: Address): string | undefined {
  if (url === undefined || /[{}\s]/.test(url.trim())) return undefined
  const base = template.includes('{') ? undefined : template
  if (!URL.canParse(url.trim(), base)) return undefined
  const found = new URL(url.trim(), base)
  return found.protocol === 'https:' || found.protocol === 'http:' ? found.href : undefined
}

/** Every way to connect asks for what the address needs. */
function withAddress(scheme: AuthSchemeManifest, { fields }: Address): AuthSchemeManifest {
  if (fields.length === 0) return scheme
  const own = scheme.fields?.connected_account_initiation ?? []
  return {
    ...scheme,
    fields: {
      ...scheme.fields,
      connected_account_initiation: [
        ...own,
        ...fields.filter(({ name }) => !own.some((one) => one.name === name)),
      ],
    },
  }
}
