import { compileTemplate, type DcrOAuthManifest, renderAddress } from '../../catalog/index.ts'
import {
  isSameIssuer,
  isWithin,
  resourceDocuments,
  safeAddress,
  serverDocuments,
  textList as listOf,
  toldAddress,
} from '../../platform/oauth/index.ts'
import { isObject } from '../../platform/json-object.ts'
import { built, request } from '../provider-request.ts'
import {
  GrantRejected,
  lookupOf,
  ProviderTrouble,
  type SchemeTools,
  type ConnectionContext,
} from '../scheme.ts'

/** What is kept of an authorization server. */
export interface Server {
  issuer: string
  authorization_endpoint: string
  token_endpoint: string
  registration_endpoint?: string
  revocation_endpoint?: string
  /** How a client may prove itself; absent means Basic (RFC 8414 §2). */
  auth_methods?: string[]
  /** RFC 9207: a callback without `iss` is none of this server. */
  names_itself?: true
  resource: string
  /** What the resource asks for when nobody chose. */
  scopes?: string[]
}

const CHALLENGE_MS = 5_000

/** Finds the authorization server of a toolkit: RFC 9728 at the resource, then RFC 8414 or OpenID Connect Discovery at the issuer. @throws GrantRefused, ProviderTrouble */
export async function discover(setup: ConnectionContext, tools: SchemeTools): Promise<Server> {
  const manifest = setup.scheme.manifest as DcrOAuthManifest
  const lookup = lookupOf(setup)
  const { url: resource } = built(() => {
    const template =
      manifest.resource === undefined ? setup.scheme.baseUrl : compileTemplate(manifest.resource)
    return { method: 'GET', url: template ? renderAddress(template, lookup) : '' }
  })
  const known =
    manifest.issuer === undefined
      ? undefined
      : built(() => ({ method: 'GET', url: renderAddress(compileTemplate(manifest.issuer!), lookup) })).url
  const named = await protectedResource(setup, tools, resource)
  const issuer = known ?? named?.issuer ?? new URL(resource).origin
  return {
    ...(await serverAt(setup, tools, addressIn(issuer, 'issuer', resource), resource)),
    resource: named?.resource ?? resource,
    ...(named?.scopes ? { scopes: named.scopes } : {}),
  }
}

/** RFC 9728 §3; undefined when the resource says nothing, as before that document. */
async function protectedResource(
  setup: ConnectionContext,
  tools: SchemeTools,
  resource: string,
): Promise<{ issuer: string; resource: string; scopes: string[] | undefined } | undefined> {
  const { origin } = new URL(resource)
  for (const url of resourceDocuments(resource, await toldByChallenge(setup, tools, resource))) {
    const doc = await document(setup, tools, url)
    const issuer = listOf(doc?.['authorization_servers'])?.[0]
    if (!doc || issuer === undefined) continue
    const own = addressIn(doc['resource'], 'resource', resource)
    // A document that speaks for another resource would have our tokens made for it (RFC 9728 §3.3).
    if (!isWithin(resource, own))
      throw new GrantRejected(
        'resource_mismatch',
        `The resource at ${origin} describes itself as another one, ${own}.`,
      )
    return { issuer, resource: own, scopes: listOf(doc['scopes_supported']) }
  }
  return undefined
}

/** What a refusal of the resource tells. */
async function toldByChallenge(
  setup: ConnectionContext,
  tools: SchemeTools,
  resource: string,
): Promise<string | undefined> {
  // A resource that answers with a stream, or not at all, says nothing; its document may.
  const reply = await request(tools, setup.proxy, {
    method: 'GET',
    url: resource,
    timeoutMs: CHALLENGE_MS,
  }).catch((error: unknown) => {
    if (!(error instanceof ProviderTrouble)) throw error
  })
  return reply?.status === 401 ? toldAddress(reply.headers['www-authenticate'], resource) : undefined
}

/** RFC 8414 §3.1, and the places of OpenID Connect Discovery. */
async function serverAt(
  setup: ConnectionContext,
  tools: SchemeTools,
  issuer: string,
  toolkit: string,
): Promise<Omit<Server, 'resource'>> {
  for (const url of serverDocuments(issuer)) {
    const doc = await document(setup, tools, url)
    if (doc && doc['issuer'] !== undefined) return serverOf(doc, issuer, toolkit)
  }
  throw new ProviderTrouble(`No authorization server describes itself at ${new URL(issuer).origin}.`)
}

function serverOf(doc: Record<string, unknown>, issuer: string, toolkit: string): Omit<Server, 'resource'> {
  // Whoever answers for another issuer could collect its codes (RFC 8414 §3.3).
  if (!isSameIssuer(doc['issuer'], issuer))
    throw new GrantRejected(
      'issuer_mismatch',
      `The authorization server ${issuer} calls itself by another name.`,
    )
  const challenges = listOf(doc['code_challenge_methods_supported'])
  if (challenges && !challenges.includes('S256'))
    throw new GrantRejected(
      'pkce_unsupported',
      `The authorization server ${issuer} does not know PKCE with S256.`,
    )
  const optional = (name: string) =>
    doc[name] === undefined || doc[name] === null ? {} : { [name]: addressIn(doc[name], name, toolkit) }
  const methods = listOf(doc['token_endpoint_auth_methods_supported'])
  return {
    issuer: String(doc['issuer']),
    authorization_endpoint: addressIn(doc['authorization_endpoint'], 'authorization_endpoint', toolkit),
    token_endpoint: addressIn(doc['token_endpoint'], 'token_endpoint', toolkit),
    ...optional('registration_endpoint'),
    ...optional('revocation_endpoint'),
    ...(methods ? { auth_methods: methods } : {}),
    ...(doc['authorization_response_iss_parameter_supported'] === true
      ? { names_itself: true as const }
      : {}),
  }
}

/** A JSON object, or undefined for an address that has none. Redirects are not followed. */
async function document(
  setup: ConnectionContext,
  tools: SchemeTools,
  url: string,
): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await request(tools, setup.proxy, { method: 'GET', url })
  if (status >= 500 || status === 429)
    throw new ProviderTrouble(
      `${new URL(url).host} answered with status ${status} when asked who its authorization server is.`,
    )
  return status === 200 && isObject(body) ? body : undefined
}

function addressIn(value: unknown, name: string, toolkit: string): string {
  const address = safeAddress(value, toolkit)
  if (address === undefined)
    throw new GrantRejected('unsafe_metadata', `The provider names no safe address as its ${name}.`)
  return address
}
