import type { Quirk } from '../../../simulation/providers/quirk.ts'
import { CLIENT, type Simulator } from '../../../simulation/providers/start.ts'
import {
  type AuthScheme,
  schemeByName,
  type Grant,
  ProviderUnavailable,
  readCodeWebhook,
  type SchemeDeps,
  type ConnectionContext,
  type Credentials,
  type CodeWebhook,
} from '../../../src/auth-schemes/index.ts'
import { findCompiledScheme, type ResolvedTool, type OAuth2Manifest } from '../../../src/catalog/index.ts'
import { runPostConnectSteps } from '../../../src/engine/index.ts'
import { createEgressRequest } from '../../../src/engine/http/egress-request.ts'
import { mintRequestTokens } from '../../../src/engine/http/request-tokens.ts'
import { responseMeaning, toProviderResponse } from '../../../src/engine/http/provider-response.ts'
import type { ToolConnection } from '../../../src/engine/types.ts'
import { keepAliveSeconds } from '../../../src/features/connected-accounts/token-refresh/keep-alive.ts'
import type { Egress } from '../../../src/platform/egress/index.ts'
import { authorizeInBrowser } from './browser.ts'
import { toolkitOf } from './simulated-source.ts'

export const REDIRECT_URI = 'http://127.0.0.1:1/api/v3/toolkits/auth/callback'
const STATE = 'the-state-of-the-walk'
export const GOES_ON = 'The access continues after it was revoked.'

export interface Manifest {
  auth: Record<string, unknown>
  toolkit: Record<string, unknown>
}

interface Connected {
  found: ResolvedTool
  scheme: AuthScheme
  setup: ConnectionContext
  expiresAt: number | null
  tools: SchemeDeps
  webhook(): CodeWebhook | undefined
}

/** Connects, uses and refreshes as the manifest says. @throws if the provider rejects any request */
export async function live(
  quirk: Quirk,
  manifest: Manifest,
  simulator: Simulator,
  egress: Egress,
): Promise<void> {
  const url = `${simulator.url}/${quirk.name}`
  const tools: SchemeDeps = { egress, now: () => simulator.now() }
  const webhook = () => {
    const sent = simulator.provider(quirk.name).memory.get('webhook') as
      | { body: string; headers: Record<string, string> }
      | undefined
    return sent && { body: Buffer.from(sent.body), headers: sent.headers }
  }
  let account = await connectedWith(quirk, manifest, url, tools, webhook).catch((error: unknown) => {
    if (!quirk.failsFirst || !(error instanceof ProviderUnavailable)) throw error
    return connectedWith(quirk, manifest, url, tools, webhook)
  })
  await useIt(account)
  const refreshes = (quirk.renews ?? quirk.server.refresh !== null) ? (quirk.refreshes ?? 1) : 0
  for (let times = refreshes; times > 0; times--) account = await whenItEnds(account, simulator)
  if (quirk.restsSeconds) account = await rested(account, quirk.restsSeconds, simulator)
  if (quirk.revokes) await revoked(account)
}

/**
 * Leaves the account unused for this time. It is refreshed proactively as often as its manifest says, and once when
 * it is used again.
 */
async function rested(account: Connected, seconds: number, simulator: Simulator): Promise<Connected> {
  const step = keepAliveSeconds(account.setup.scheme) ?? Infinity
  let resting = account
  for (let left = seconds; left > 0; left -= step) {
    simulator.advance(Math.min(left, step) * 1_000)
    resting = stored(resting, await resting.scheme.refresh!(resting.setup, resting.tools))
  }
  await useIt(resting)
  return resting
}

async function revoked(account: Connected): Promise<void> {
  const { scheme, setup, tools } = account
  if (!scheme.canRevoke?.(setup)) throw new Error('Nothing can be revoked.')
  await scheme.revoke!(setup, tools)
  if (
    await useIt(account).then(
      () => true,
      () => false,
    )
  )
    throw new Error(GOES_ON)
}

/** A connection with what has to be looked up after it. */
async function connectedWith(
  quirk: Quirk,
  manifest: Manifest,
  url: string,
  tools: SchemeDeps,
  webhook: Connected['webhook'],
): Promise<Connected> {
  const account = await connect(quirk, manifest, url, tools, webhook)
  const completed = await runPostConnectSteps(tools, account.found.toolkit, account.setup)
  if (completed.kind === 'choose') throw new Error(`The user would have to choose a ${completed.what}.`)
  return stored(account, { credentials: completed.val, expiresAt: account.expiresAt })
}

async function connect(
  quirk: Quirk,
  manifest: Manifest,
  url: string,
  tools: SchemeDeps,
  webhook: Connected['webhook'],
): Promise<Connected> {
  const toolkit = toolkitOf(manifest, url)
  const compiled = findCompiledScheme(toolkit, String(manifest.auth['scheme']))
  const scheme = compiled && schemeByName(compiled.mode)
  const tool = toolkit.tools[0]
  if (!compiled || !scheme || !tool) throw new Error(`${manifest.auth['scheme']} is not built`)
  const input = quirk.connectionInput?.(url)
  const setup: ConnectionContext = {
    scheme: compiled,
    authConfigCredentials: { client_id: CLIENT.id, client_secret: CLIENT.secret, ...input?.credentials },
    sharedCredentials: input?.shared ?? {},
    credentials: input?.val ?? {},
    redirectUri: REDIRECT_URI,
  }
  const account: Connected = {
    found: { tool, toolkit } as ResolvedTool,
    scheme,
    setup,
    expiresAt: null,
    tools,
    webhook,
  }
  if (scheme.redirects) return redirected(account)
  return scheme.needsFirstToken?.(setup) && scheme.canRefresh?.(setup)
    ? stored(account, await scheme.refresh!(setup, tools))
    : account
}

async function redirected(account: Connected): Promise<Connected> {
  const { scheme, setup, tools } = account
  const started = await scheme.start!(setup, STATE, tools)
  const begun: Connected = {
    ...account,
    setup: { ...setup, credentials: { ...setup.credentials, ...started.credentials } },
  }
  const callback = await authorizeInBrowser(started.url, REDIRECT_URI)
  const stateFrom = (setup.scheme.manifest as { callback?: { state_from?: string } }).callback?.state_from
  if (
    stateFrom !== 'cookie' &&
    callback['state'] !== started.state &&
    callback['oauth_token'] !== started.state
  )
    throw new Error('The callback brings no state: nobody knows whose it is.')
  return stored(
    begun,
    await scheme.finish!(begun.setup, started.secrets, withCallback(account, callback), tools),
  )
}

/** What the browser brought, with the code that a webhook brings where the manifest awaits one. */
function withCallback({ setup, webhook }: Connected, callback: Record<string, string>): Credentials {
  const {
    source,
    webhook: by,
    code_param: name = 'code',
  } = (setup.scheme.manifest as OAuth2Manifest).callback ?? {}
  if (source !== 'webhook') return callback
  const { code, match } = readCodeWebhook(setup, webhook() ?? { body: Buffer.alloc(0), headers: {} })
  if (match !== callback[by!.match_param]) throw new Error('The webhook is for another browser.')
  return { ...callback, [name]: code }
}

/** As accounts are written: what the provider did not send again stays. */
function stored(account: Connected, { credentials: val, expiresAt }: Grant): Connected {
  const merged: Credentials = { ...account.setup.credentials, ...val }
  return { ...account, expiresAt, setup: { ...account.setup, credentials: merged } }
}

/**
 * Advances to the time at which the account is to be refreshed; one that nobody renews in time is used when it
 * has ended.
 */
async function whenItEnds(account: Connected, simulator: Simulator): Promise<Connected> {
  const { scheme, setup, expiresAt, tools } = account
  const end = simulator.now() + simulator.provider(simulatorName(account)).lifetimes.tokenSeconds * 1_000
  const due = expiresAt === null ? Infinity : expiresAt - (scheme.refreshMarginMs?.(setup) ?? 0)
  simulator.advance(Math.max(0, Math.min(due, end + 1_000) - simulator.now()))
  if (due > end && (await useIt(account, true)) !== 'reauth') return account
  if (!scheme.canRefresh?.(setup)) throw new Error('Nothing can be renewed.')
  const renewed = stored(account, await scheme.refresh!(setup, tools))
  await useIt(renewed)
  return renewed
}

const simulatorName = ({ found }: Connected) =>
  String(found.toolkit.description.split(' ').at(-1)).replace('.', '')

/** One call of the API. With `mayEnd`, returns what the error means to the toolkit, if it is declared. */
async function useIt({ found, setup, tools }: Connected, mayEnd = false): Promise<string> {
  const connection = { kind: 'account', account: {}, context: setup } as unknown as ToolConnection
  const rendered = {
    method: 'GET',
    path: '/api/me',
    query: [] as [string, string][],
    headers: {},
    body: undefined,
    bodyType: 'json' as const,
  }
  const isPost = setup.scheme.body.length > 0
  const request = createEgressRequest(
    found,
    isPost ? { ...rendered, method: 'POST', body: { about: 'me' } } : rendered,
    connection,
    tools.now(),
    await mintRequestTokens(connection, tools.now()),
  )
  const answer = toProviderResponse(await tools.egress.send(request))
  const meaning = responseMeaning(found, answer)
  if (!meaning) return 'fine'
  if (mayEnd && meaning === 'reauth' && found.toolkit.errors.length) return meaning
  throw new Error(`The API answers ${answer.status} (${meaning}): ${JSON.stringify(answer.body)}`)
}
