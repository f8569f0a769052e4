import type { AuthSchemeManifest, ToolManifest } from '../../manifest/format/index.ts'
import type { Alternative, ApiModel, Operation, SecurityScheme } from '../model.ts'
import type { Address } from '../openapi/servers.ts'
import { alternativesFor, declaredOrImplied, needed, oauthScopes } from './alternatives.ts'
import { type KeyScheme, type SchemeWithName, companions, keysAlone, mayBeBearer, withKeys } from './keys.ts'
import { clientCredentials, endpoint, oauth2, passwordEndpoint, passwordFlow } from './oauth.ts'
import { scopesOf } from './scopes.ts'
import { awsSignature } from './aws-signature.ts'

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
  if (schemes.size === 0)
    notes.push(
      'The document declares no way to sign in, so that calls carry no credentials. If the API needs some, import it ' +
        'again with --auth.',
    )
  const alternativesOf = alternativesFor(model, schemes, notes)
  const used = mostUsedFirst(model, schemes, alternativesOf)
  notes.push(...leftOutNotes(used))
  const manifests = schemeManifests({ model, address, schemes, alternativesOf, used })
  const supported = new Set(Object.values(used).flatMap((kind) => kind.map(({ name }) => name)))
  const credentials = new Set(used.key.map(({ scheme }) => `${scheme.in}\n${scheme.name.toLowerCase()}`))
  // A token may also be in the query (RFC 6750 §2.3); Patchbay sends it in the header.
  const hasToken = used.oauth2.length + used.bearer.length > 0
  const isOpen = manifests.length === 1 && manifests[0]!.scheme === 'NO_AUTH'
  return {
    schemes: manifests.map((one) => withAddress(one, address)),
    notes,
    isCredential: (where, name) =>
      credentials.has(`${where}\n${name.toLowerCase()}`) ||
      (hasToken && where === 'query' && /^(access_token|oauth_token)$/i.test(name)),
    of: (operation) =>
      operationAuth(operation, { alternatives: alternativesOf(operation), supported, schemes, isOpen }),
  }
}

type AlternativesOf = (operation: Operation) => readonly Alternative[]

/** The security schemes that operations use, by kind. */
type UsedSchemes = {
  readonly [K in Exclude<SecurityScheme['kind'], 'unsupported'>]: readonly SchemeWithName<K>[]
}

function mostUsedFirst(
  { operations }: ApiModel,
  schemes: ReadonlyMap<string, SecurityScheme>,
  alternativesOf: AlternativesOf,
): UsedSchemes {
  const uses = new Map<string, number>()
  for (const operation of operations)
    for (const name of new Set(alternativesOf(operation).flatMap((one) => [...one.keys()])))
      uses.set(name, (uses.get(name) ?? 0) + 1)
  const used = [...schemes]
    .filter(([name]) => uses.has(name))
    .map(([name, scheme]) => ({ name, scheme }))
    .sort((a, b) => uses.get(b.name)! - uses.get(a.name)! || (a.name < b.name ? -1 : 1))
  const of = <K extends SecurityScheme['kind']>(kind: K) =>
    used.filter((one): one is SchemeWithName<K> => one.scheme.kind === kind)
  return { oauth2: of('oauth2'), basic: of('basic'), bearer: of('bearer'), key: of('key') }
}

function leftOutNotes(used: UsedSchemes): string[] {
  const kinds = [
    ['OAuth 2', used.oauth2],
    ['basic', used.basic],
    ['bearer', used.bearer],
  ] as const
  return kinds
    .filter(([, found]) => found.length > 1)
    .map(
      ([kind, found]) =>
        `Of ${found.length} ${kind} schemes, \`${found[0]!.name}\` is used; the others are left out.`,
    )
}

interface SchemeSources {
  readonly model: ApiModel
  readonly address: Address
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly alternativesOf: AlternativesOf
  readonly used: UsedSchemes
}

function schemeManifests({
  model,
  address,
  schemes,
  alternativesOf,
  used,
}: SchemeSources): AuthSchemeManifest[] {
  const alternatives = model.operations.flatMap(alternativesOf)
  const companionKeys = (name: string) => companions(name, alternatives, used.key)
  const scopes = needed(model.operations, alternativesOf, schemes)
  const code = used.oauth2.find(
    ({ scheme }) =>
      endpoint(scheme.code?.authorizationUrl, address) && endpoint(scheme.code?.tokenUrl, address),
  )
  const machine = used.oauth2.find(({ scheme }) => endpoint(scheme.client?.tokenUrl, address))
  const [basic] = used.basic
  const [bearer] = used.bearer
  const [token] = used.oauth2
  const found: AuthSchemeManifest[] = []
  if (code) found.push(oauth2(code, scopes, companionKeys(code.name), address))
  if (machine) found.push(clientCredentials(machine, scopes, companionKeys(machine.name), address))
  const password = used.oauth2.find(({ scheme }) => passwordEndpoint(scheme, address))
  const usesPassword = !basic && password && companionKeys(password.name).length === 0
  if (basic) found.push(withKeys({ scheme: 'BASIC' }, companionKeys(basic.name), {}))
  else if (usesPassword) found.push(passwordFlow(password, address))
  if (bearer) found.push(bearerToken(bearer, companionKeys(bearer.name)))
  // Without endpoints of the code flow, a token that the user got elsewhere is the way.
  else if (token && !code && !machine && !usesPassword)
    found.push(withKeys({ scheme: 'BEARER_TOKEN' }, companionKeys(token.name), {}))
  const alone = keysAlone(alternatives, used.key)
  if (alone.length > 0) found.push(apiKey(alone, model.service, address))
  const isOneKey = alone.length === 1 && !found.some(({ scheme }) => scheme === 'BEARER_TOKEN')
  if (isOneKey && mayBeBearer(alone[0]!.key.scheme)) found.push({ scheme: 'BEARER_TOKEN' })
  return found.length > 0 ? found : [withoutCredential(address)]
}

const bearerToken = (
  { scheme }: SchemeWithName<'bearer'>,
  keys: ReturnType<typeof companions>,
): AuthSchemeManifest =>
  withKeys(
    { scheme: 'BEARER_TOKEN' },
    keys,
    scheme.word === 'Bearer' ? {} : { authorization: `${scheme.word} {token}` },
  )

const withoutCredential = ({ needsConnection }: Address): AuthSchemeManifest =>
  needsConnection
    ? { scheme: 'API_KEY', name: 'Base URL only', fields: { omit: ['generic_api_key'] }, apply: {} }
    : { scheme: 'NO_AUTH' }

interface OperationSources {
  readonly alternatives: readonly Alternative[]
  /** Names of the schemes that a connection can have. */
  readonly supported: ReadonlySet<string>
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  /** Whether the toolkit needs no connection at all. */
  readonly isOpen: boolean
}

function operationAuth(
  { security }: Operation,
  { alternatives, supported, schemes, isOpen }: OperationSources,
): ReturnType<Auth['of']> {
  const names = (one: Alternative) => [...one.keys()]
  if (alternatives.length === 0 || alternatives.some((one) => one.size === 0))
    return { noAuth: !isOpen && alternatives.length === 0 && security !== undefined, scopes: undefined }
  const possible = alternatives.filter((one) => names(one).every((name) => supported.has(name)))
  if (possible.length === 0)
    return {
      unsupported: [...new Set(alternatives.flatMap(names))].join(', '),
      noAuth: false,
      scopes: undefined,
    }
  const withScopes = possible.filter((one) => names(one).some((name) => schemes.get(name)?.kind === 'oauth2'))
  return { noAuth: false, scopes: scopesOf(withScopes.map((one) => oauthScopes(one, schemes))) }
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

function apiKey(
  keys: readonly { key: KeyScheme; always: boolean }[],
  service: string | undefined,
  address: Address,
): AuthSchemeManifest {
  const [first] = keys
  if (first!.key.scheme.aws) return awsSignature(service, address)
  return withKeys({ scheme: 'API_KEY' }, keys, {}, 'generic_api_key')
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
