import { getOwn, isObject } from '../../platform/json-object.ts'
import {
  announcedMetadataUrl,
  challengeParameter,
  isSameIssuer,
  isWithin,
  resourceMetadataUrls,
  safeMetadataUrl,
  serverMetadataUrls,
  stringList,
} from '../../platform/oauth/index.ts'
import { CallError } from '../api-client/call.ts'
import { EXIT, type Io } from '../io.ts'
import { sendOAuthRequest } from './oauth-json.ts'

/** How to sign in at a remote MCP server. */
export interface McpSignIn {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  registrationEndpoint: string
  /** The resource indicator of RFC 8707. */
  resource: string
  scopes: readonly string[]
  /** The authorization server adds `iss` to its redirects (RFC 9207). */
  sendsIssuer: boolean
}

const PROBE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'patchbay', version: '1' },
  },
}
const HEADER_ADVICE = "Import it with a token: --header 'authorization: Bearer …'."

/**
 * Reads the metadata of a server (RFC 9728) and of its authorization server (RFC 8414). @throws CallError if a
 * sign-in is not needed or not possible
 */
export async function discoverSignIn(io: Io, address: string): Promise<McpSignIn> {
  const { host, origin } = new URL(address)
  const challenge = await readChallenge(io, address)
  const resource = await firstDocument(
    io,
    resourceMetadataUrls(address, announcedMetadataUrl(challenge, address)),
    (document) => {
      const name = safeMetadataUrl(getOwn(document, 'resource'), address)
      return name !== undefined && isWithin(address, name)
    },
  )
  const firstIssuer = stringList(getOwn(resource, 'authorization_servers'))?.[0]
  const issuer = resource === undefined ? origin : safeMetadataUrl(firstIssuer, address)
  const server =
    issuer === undefined
      ? undefined
      : await firstDocument(io, serverMetadataUrls(issuer), (document) =>
          isSameIssuer(getOwn(document, 'issuer'), issuer),
        )
  const endpoint = (name: string) => safeMetadataUrl(getOwn(server, name), address)
  const [authorizationEndpoint, tokenEndpoint, registrationEndpoint] = [
    endpoint('authorization_endpoint'),
    endpoint('token_endpoint'),
    endpoint('registration_endpoint'),
  ]
  if (issuer === undefined || authorizationEndpoint === undefined || tokenEndpoint === undefined)
    throw impossible(`${host} does not describe how to sign in (RFC 9728, RFC 8414).`)
  if (registrationEndpoint === undefined)
    throw impossible(`${issuer} does not register clients automatically (RFC 7591).`)
  if (!stringList(getOwn(server, 'code_challenge_methods_supported'))?.includes('S256'))
    throw impossible(`${issuer} does not declare PKCE with S256, which protects the code.`)
  const requested = challengeParameter(challenge, 'scope')?.split(/\s+/).filter(Boolean)
  return {
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    registrationEndpoint,
    resource: safeMetadataUrl(getOwn(resource, 'resource'), address) ?? address,
    scopes: requested ?? stringList(getOwn(resource, 'scopes_supported')) ?? [],
    sendsIssuer: getOwn(server, 'authorization_response_iss_parameter_supported') === true,
  }
}

const impossible = (reason: string) => new CallError(reason, HEADER_ADVICE, EXIT.usage)

/** Returns the challenge of a server that rejects a request without credentials. */
async function readChallenge(io: Io, address: string): Promise<string | undefined> {
  const { status, headers } = await sendOAuthRequest(io, address, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(PROBE),
  })
  if (status === 401) return headers.get('www-authenticate') ?? undefined
  throw new CallError(
    `${new URL(address).host} does not ask for a sign-in (status ${status}).`,
    'Import it without --sign-in.',
    EXIT.usage,
  )
}

async function firstDocument(
  io: Io,
  urls: readonly string[],
  fits: (document: unknown) => boolean,
): Promise<unknown> {
  for (const url of urls) {
    const { status, json } = await sendOAuthRequest(io, url, { headers: { accept: 'application/json' } })
    if (status === 200 && isObject(json) && fits(json)) return json
  }
  return undefined
}
