import { createHash, randomBytes } from 'node:crypto'
import { getOwn, nonEmptyString } from '../../platform/json-object.ts'
import { isSameIssuer } from '../../platform/oauth/index.ts'
import { CallError } from '../api-client/call.ts'
import { EXIT, type Io, printable } from '../io.ts'
import { startCallbackServer } from './callback-server.ts'
import { discoverSignIn, type McpSignIn } from './discovery.ts'
import { sendOAuthRequest } from './oauth-json.ts'

interface Client {
  id: string
  secret: string | undefined
  /** `token_endpoint_auth_method` of RFC 7591. */
  method: string
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }

/**
 * Signs the user in at a remote MCP server: registers a client, shows the page of the authorization server, and
 * receives the code on this machine, with PKCE. Returns the access token. @throws CallError
 */
export async function signInToMcp(io: Io, address: string, showPage: (url: string) => void): Promise<string> {
  const server = await discoverSignIn(io, address)
  const callback = await startCallbackServer()
  try {
    const { redirectUri } = callback
    const client = await registerClient(io, server, redirectUri)
    const [state, verifier] = [randomText(), randomText()]
    const redirected = callback.redirected(state)
    showPage(authorizationUrl(server, { client, redirectUri, state, verifier }))
    const code = readCode(await redirected, server)
    return await exchangeCode(io, server, client, { code, redirectUri, verifier })
  } finally {
    callback.close()
  }
}

const randomText = () => randomBytes(32).toString('base64url')

async function registerClient(io: Io, server: McpSignIn, redirectUri: string): Promise<Client> {
  const { status, json } = await sendOAuthRequest(io, server.registrationEndpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: 'Patchbay',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  })
  const id = nonEmptyString(getOwn(json, 'client_id'))
  if ((status !== 200 && status !== 201) || id === undefined)
    throw failure(`${server.issuer} did not register a client`, status, json)
  const secret = nonEmptyString(getOwn(json, 'client_secret'))
  const declared = nonEmptyString(getOwn(json, 'token_endpoint_auth_method'))
  return { id, secret, method: declared ?? (secret === undefined ? 'none' : 'client_secret_basic') }
}

interface Authorization {
  client: Client
  redirectUri: string
  state: string
  verifier: string
}

function authorizationUrl(
  { authorizationEndpoint, resource, scopes }: McpSignIn,
  { client, redirectUri, state, verifier }: Authorization,
): string {
  const url = new URL(authorizationEndpoint)
  const parameters = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Reads the code of a redirect. A redirect of another authorization server is rejected (RFC 9207). */
function readCode(redirect: URLSearchParams, { issuer, sendsIssuer }: McpSignIn): string {
  const sender = redirect.get('iss')
  if (sender === null ? sendsIssuer : !isSameIssuer(sender, issuer))
    throw new CallError(
      `The redirect does not come from ${issuer}.`,
      'Run the command again, and use only the page that it shows.',
      EXIT.apiError,
    )
  const code = redirect.get('code')
  if (code) return code
  const reason = redirect.get('error_description') ?? redirect.get('error') ?? 'no code'
  throw new CallError(
    `${issuer} did not allow the access: ${printable(reason.slice(0, 300))}.`,
    'Run the command again, and allow the access.',
    EXIT.apiError,
  )
}

async function exchangeCode(
  io: Io,
  { tokenEndpoint, resource, issuer }: McpSignIn,
  { id, secret = '', method }: Client,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
): Promise<string> {
  const isBasic = method === 'client_secret_basic'
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource,
    ...(!isBasic && { client_id: id }),
    ...(method === 'client_secret_post' && { client_secret: secret }),
  })
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`
  const { status, json } = await sendOAuthRequest(io, tokenEndpoint, {
    method: 'POST',
    headers: {
      ...FORM,
      ...(isBasic && { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
    },
    body: body.toString(),
  })
  const token = nonEmptyString(getOwn(json, 'access_token'))
  const type = nonEmptyString(getOwn(json, 'token_type')) ?? ''
  if (status !== 200 || token === undefined || type.toLowerCase() !== 'bearer')
    throw failure(`${issuer} returned no access token`, status, json)
  return token
}

/** An error response of the authorization server (RFC 6749 §5.2), without values that could be secrets. */
function failure(what: string, status: number, json: unknown): CallError {
  const reason =
    nonEmptyString(getOwn(json, 'error_description')) ?? nonEmptyString(getOwn(json, 'error')) ?? ''
  return new CallError(
    `${what} (status ${status})${reason === '' ? '' : `: ${printable(reason.slice(0, 300))}`}.`,
    "Try again, or import it with a token: --header 'authorization: Bearer …'.",
    EXIT.apiError,
  )
}
