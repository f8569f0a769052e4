import { setTimeout as wait } from 'node:timers/promises'
import { createAuthConfig, listAuthConfigs, readAuthConfig } from '../../contract/auth-configs/index.ts'
import {
  createConnectedAccount,
  linkConnectedAccount,
  readConnectedAccount,
} from '../../contract/connected-accounts/index.ts'
import type { ReplyOf, Route } from '../../contract/route.ts'
import { readToolkit } from '../../contract/toolkits/index.ts'
import { type ApiReply, type ApiRequest, CallError } from '../api-client/call.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { EXIT } from '../io.ts'
import { completeScheme, isOAuth, schemeForPage, type SuppliedCredentials } from './choose-scheme.ts'

const POLL_MS = 2_000
/** The link ends after ten minutes. */
const WAIT_MAX_MS = 10 * 60_000
const PENDING: ReadonlySet<string> = new Set(['INITIALIZING', 'INITIATED'])

export interface ConnectOptions extends SuppliedCredentials {
  toolkit: string
  userId: string
  authConfigId: string | undefined
  oauthApp: { client_id: string; client_secret: string } | undefined
  alias: string | undefined
}

/** An error response of the API ends the command; the caller prints it. */
export class RejectedCall extends Error {
  readonly reply: ApiReply

  constructor(reply: ApiReply) {
    super(`HTTP ${reply.status}`)
    this.name = 'RejectedCall'
    this.reply = reply
  }
}

export interface ConnectSteps {
  call(route: Route, request: Partial<ApiRequest>): Promise<ApiReply>
  /** Shows the URL of the hosted page to the user. */
  showLink(url: string): void
  redirectUri: string
}

export type Account = ReplyOf<typeof readConnectedAccount>

/**
 * Connects an account: with the credentials of the command line, or on the hosted page, for which it waits. Returns
 * undefined for a toolkit that needs no account.
 * @throws RejectedCall for an error response, CallError if the user does not finish within ten minutes
 */
export async function connectAccount(
  options: ConnectOptions,
  steps: ConnectSteps,
): Promise<Account | undefined> {
  const ask = async <T extends Route>(route: T, request: Partial<ApiRequest>): Promise<ReplyOf<T>> => {
    const reply = await steps.call(route, request)
    if (reply.status >= 400) throw new RejectedCall(reply)
    return reply.body as ReplyOf<T>
  }
  const toolkit = await ask(readToolkit, { params: { slug: options.toolkit } })
  if (toolkit.no_auth) return undefined
  const hasCredentials = options.token !== undefined || Object.keys(options.fields).length > 0
  if (!hasCredentials) {
    const authConfigId = await authConfigForPage(toolkit, options, steps, ask)
    return connectOnPage(authConfigId, options, steps, ask)
  }
  const { scheme, values } = completeScheme(toolkit, options)
  const authConfigId =
    options.authConfigId ?? (await authConfigOf(toolkit.slug, { mode: scheme.mode, isManaged: false }, ask))
  const { id } = await ask(createConnectedAccount, {
    body: {
      auth_config: { id: authConfigId },
      connection: {
        user_id: options.userId,
        state: { authScheme: scheme.mode, val: values },
        ...(options.alias !== undefined && { alias: options.alias }),
      },
    },
  })
  return ask(readConnectedAccount, { params: { nanoid: id } })
}

type Ask = <T extends Route>(route: T, request: Partial<ApiRequest>) => Promise<ReplyOf<T>>

/** The auth config that was named; else one with the OAuth app; else the newest enabled one; else a new one. */
async function authConfigForPage(
  toolkit: ReplyOf<typeof readToolkit>,
  { authConfigId, oauthApp }: ConnectOptions,
  { redirectUri }: ConnectSteps,
  ask: Ask,
): Promise<string> {
  if (authConfigId !== undefined) return (await ask(readAuthConfig, { params: { nanoid: authConfigId } })).id
  if (oauthApp) {
    const scheme = toolkit.auth_config_details.find(isOAuth)
    if (!scheme)
      throw new UsageError(`${toolkit.slug} has no OAuth scheme.`, 'Omit --client-id and --client-secret.')
    return createConfig(toolkit.slug, { mode: scheme.mode, isManaged: false, credentials: oauthApp }, ask)
  }
  const { items } = await ask(listAuthConfigs, { query: { toolkit_slug: toolkit.slug, limit: 1 } })
  return items[0]?.id ?? createConfig(toolkit.slug, schemeForPage(toolkit, redirectUri), ask)
}

interface NewConfig {
  mode: string
  isManaged: boolean
  credentials?: Record<string, string>
}

async function authConfigOf(toolkit: string, config: NewConfig, ask: Ask): Promise<string> {
  const { items } = await ask(listAuthConfigs, { query: { toolkit_slug: toolkit, limit: 100 } })
  return (
    items.find(({ auth_scheme }) => auth_scheme === config.mode)?.id ?? createConfig(toolkit, config, ask)
  )
}

async function createConfig(
  toolkit: string,
  { mode, isManaged, credentials }: NewConfig,
  ask: Ask,
): Promise<string> {
  const { auth_config } = await ask(createAuthConfig, {
    body: {
      toolkit: { slug: toolkit },
      auth_config: isManaged
        ? { type: 'use_service_managed_auth' }
        : { type: 'use_custom_auth', authScheme: mode, ...(credentials && { credentials }) },
    },
  })
  return auth_config.id
}

async function connectOnPage(
  authConfigId: string,
  { userId, alias }: ConnectOptions,
  { showLink }: ConnectSteps,
  ask: Ask,
): Promise<Account> {
  const link = await ask(linkConnectedAccount, {
    body: { auth_config_id: authConfigId, user_id: userId, ...(alias !== undefined && { alias }) },
  })
  showLink(link.redirect_url)
  const endMs = performance.now() + WAIT_MAX_MS
  while (performance.now() < endMs) {
    const account = await ask(readConnectedAccount, { params: { nanoid: link.connected_account_id } })
    if (!PENDING.has(account.status)) return account
    await wait(POLL_MS)
  }
  throw new CallError(
    `${link.connected_account_id} was not connected within ${WAIT_MAX_MS / 60_000} minutes.`,
    'Run the command again for a new link.',
    EXIT.apiError,
  )
}
