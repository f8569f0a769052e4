import type { AuthSchemeManifest, FieldManifest } from '../../manifest/format/index.ts'
import { fieldName } from '../openapi/servers.ts'
import { inWords } from '../tools/words.ts'
import type { McpSignIn } from './listing.ts'

/** Headers that say how to answer, not who asks. */
const NO_KEY = /^(accept(-.*)?|user-agent|content-type|origin|referer|mcp-.*)$/

/** An address that was found is no template. */
const literal = (text: string): string => text.replaceAll('{', '{{')

/**
 * The ways to sign in to a server: what it describes, what the caller listed its tools with, and a token,
 * which most take.
 */
export function schemesOf(signIn: McpSignIn): { schemes: AuthSchemeManifest[]; notes: string[] } {
  const { anonymous, challenge, query, server } = signIn
  const headers = signIn.headers.filter(({ name }) => !NO_KEY.test(name))
  const authorization = headers.find(({ name }) => name === 'authorization')
  const keys = headers.filter(({ name }) => name !== 'authorization')
  if (anonymous && headers.length + query.length === 0 && !server)
    return { schemes: [{ scheme: 'NO_AUTH' }], notes: [] }
  const schemes: AuthSchemeManifest[] = []
  if (server)
    schemes.push(server.registrationEndpoint === undefined ? registered(signIn) : registering(signIn))
  if (keys.length + query.length > 0)
    schemes.push(
      keyed(
        keys.map(({ name }) => name),
        query,
      ),
    )
  if (challenge === 'basic' || authorization?.word?.toLowerCase() === 'basic')
    schemes.push({ scheme: 'BASIC' })
  const word = authorization?.word
  const prefix = word !== undefined && !/^(bearer|basic)$/i.test(word) ? word : undefined
  schemes.push(
    prefix === undefined
      ? { scheme: 'BEARER_TOKEN' }
      : { scheme: 'BEARER_TOKEN', apply: { headers: { authorization: `${literal(prefix)} {token}` } } },
  )
  return { schemes, notes: notesOn(signIn) }
}

/** Each connection discovers the endpoints again, unless only a 401 response contains the metadata URL. */
const registering = (signIn: McpSignIn): AuthSchemeManifest => ({
  scheme: 'DCR_OAUTH',
  ...(signIn.isTold && { issuer: literal(signIn.server!.issuer), resource: literal(signIn.resource) }),
  ...scopesOf(signIn),
})

/** The authorization server accepts only clients that were registered manually. */
function registered(signIn: McpSignIn): AuthSchemeManifest {
  const { server, resource } = signIn
  const {
    authorizationEndpoint,
    tokenEndpoint,
    revocationEndpoint,
    authMethods = ['client_secret_basic'],
  } = server!
  const method =
    (['post', 'basic'] as const).find((one) => authMethods.includes(`client_secret_${one}`)) ?? 'none'
  return {
    scheme: 'OAUTH2',
    authorize: { url: literal(authorizationEndpoint) },
    token: { url: literal(tokenEndpoint) },
    refresh: { rotates: 'sometimes' },
    client_auth: method,
    resource: literal(resource),
    ...(revocationEndpoint !== undefined && { revoke: { url: literal(revocationEndpoint) } }),
    ...scopesOf(signIn),
  }
}

/**
 * What the challenge asks for is needed; what the document names is what there is (MCP 2026-07-28 "Scope
 * Selection Strategy").
 */
function scopesOf({ scopes, scopesSupported }: McpSignIn) {
  const byDefault = scopes ?? scopesSupported
  return byDefault
    ? {
        scopes: {
          default: [...byDefault],
          available: [...new Set([...byDefault, ...(scopesSupported ?? [])])],
        },
      }
    : {}
}

/** Keys in headers or in the address, one of them the key of the scheme. */
function keyed(headers: readonly string[], query: readonly string[]): AuthSchemeManifest {
  const all = [
    ...headers.map((name) => ({ name, place: 'headers' as const })),
    ...query.map((name) => ({ name, place: 'query' as const })),
  ]
  const apply: { headers?: Record<string, string>; query?: Record<string, string> } = {}
  const fields: FieldManifest[] = []
  all.forEach(({ name, place }, index) => {
    const field = index === 0 ? 'generic_api_key' : fieldName(name)
    if (index > 0 && fields.every((one) => one.name !== field))
      fields.push({
        name: field,
        display_name: inWords(name),
        description: `Value of \`${name}\`.`,
        secret: true,
      })
    apply[place] = { ...apply[place], [name]: `{${field}}` }
  })
  return {
    scheme: 'API_KEY',
    ...(fields.length > 0 && { fields: { connected_account_initiation: fields } }),
    apply,
  }
}

function notesOn({ anonymous, server, query }: McpSignIn): string[] {
  return [
    ...(anonymous
      ? [
          'The server lists its tools to everybody and describes a sign-in all the same; every tool ' +
            'takes a connection. Give `auth` as none if it needs none.',
        ]
      : []),
    ...(query.length > 0
      ? [
          `The address held what looks like a secret (${query.join(', ')}); it is not kept, each ` +
            'connection gives its own.',
        ]
      : []),
    ...(server && server.registrationEndpoint === undefined
      ? [
          'The authorization server does not support dynamic client registration: register a client ' +
            'there, and set its client_id in the auth config.',
        ]
      : []),
  ]
}
