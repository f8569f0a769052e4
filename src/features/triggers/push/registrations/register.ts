import {
  type CompiledRegistration,
  type CompiledRequest,
  compilePath,
  parseTimestampMs,
  type ResolvedTrigger,
  type TriggerArguments,
} from '../../../../catalog/index.ts'
import type { SendTriggerRequest, TriggerResponse } from '../../../../engine/index.ts'
import { randomText } from '../../../../platform/ids.ts'
import type { PushDeps } from '../deps.ts'
import { ingressUrl } from '../endpoints/routes.ts'
import { decryptState, encryptState, newState, type RegistrationState } from './state.ts'
import * as store from './store.ts'

/** An instance, with what a request about its registration needs. */
export interface RegistrationCall {
  projectId: string
  instanceId: string
  accountId: string
  found: ResolvedTrigger
  signal: AbortSignal
}

/** A call that creates a registration. */
export type NewRegistrationCall = RegistrationCall & { config: TriggerArguments }

/** The application rejected a request about a registration, or did not respond. */
export class RegistrationFailed extends Error {
  readonly response: Pick<TriggerResponse, 'status' | 'meaning'>

  constructor(message: string, response: Pick<TriggerResponse, 'status' | 'meaning'>) {
    super(message)
    this.response = response
  }
}

/** 190 random bits: for an application that signs nothing, the URL alone authenticates a delivery. */
const TOKEN_CHARACTERS = 32
const REQUEST_MS = 30_000
const MINUTE_MS = 60_000
/** The share of its lifetime after which a registration is renewed. */
const RENEW_AFTER = 0.75
const NOT_FOUND_STATUSES = [404, 410]

/**
 * Registers a new URL for an instance at its application. The URL is stored before the request, because the application
 * may call it before it responds. Returns the token of the URL.
 * @throws RegistrationFailed; ApiError if the account cannot be used
 */
export async function register(deps: PushDeps, call: NewRegistrationCall): Promise<string> {
  const { projectId, found, config } = call
  const { request } = registrationOf(found)
  const urlToken = `wi_${randomText(TOKEN_CHARACTERS)}`
  const state = newState(config)
  await store.insertRegistration(deps.db, {
    url_token: urlToken,
    project_id: projectId,
    instance_id: call.instanceId,
    connected_account_id: call.accountId,
    toolkit_slug: found.toolkit.slug,
    trigger_slug: found.trigger.slug,
    version: found.version,
    state: encryptState(await deps.encryptor.ofProject(projectId), urlToken, state),
  })
  try {
    const args = requestArguments(deps, call, urlToken, state)
    await storeResponse(deps, call, urlToken, await send(deps, call, request, args, 'register a webhook'))
  } catch (error) {
    await store.deleteRegistration(deps.db, projectId, urlToken).catch(() => {})
    throw error
  }
  return urlToken
}

/** Extends a registration with the same URL. @throws RegistrationFailed, ApiError */
export async function renew(
  deps: PushDeps,
  call: RegistrationCall,
  row: store.RegistrationRow,
): Promise<void> {
  const { renew: request } = registrationOf(call.found)
  const args = requestArguments(deps, call, row.url_token, decryptState(deps.encryptor, row))
  const response = await send(deps, call, request!, args, 'renew a webhook')
  await storeResponse(deps, call, row.url_token, response)
}

/**
 * Removes a registration at the application. One that the application does not have any more is removed too.
 * @throws RegistrationFailed, ApiError
 */
export async function unregister(
  deps: PushDeps,
  call: RegistrationCall,
  row: store.RegistrationRow,
): Promise<void> {
  const { remove: request } = registrationOf(call.found)
  if (request && row.registered_at) {
    const args = requestArguments(deps, call, row.url_token, decryptState(deps.encryptor, row))
    await send(deps, call, request, args, 'remove a webhook').catch((error: unknown) => {
      if (!(error instanceof RegistrationFailed) || !NOT_FOUND_STATUSES.includes(error.response.status))
        throw error
    })
  }
  await store.deleteRegistration(deps.db, call.projectId, row.url_token)
}

function registrationOf({ trigger }: ResolvedTrigger): CompiledRegistration {
  const registration = trigger.webhook?.registration
  if (!registration) throw new Error(`${trigger.slug} has no registration.`)
  return registration
}

async function send(
  deps: PushDeps,
  call: RegistrationCall,
  request: CompiledRequest,
  args: TriggerArguments,
  purpose: string,
): Promise<TriggerResponse> {
  const sendRequest: SendTriggerRequest = await deps.requests({ ...call, deadlineMs: REQUEST_MS })
  const response = await sendRequest(request, args, { changes: true })
  if (!response.ok)
    throw new RegistrationFailed(
      `${call.found.toolkit.name} did not ${purpose}: ${response.message}`,
      response,
    )
  return response
}

function requestArguments(
  { publicUrl, clock }: PushDeps,
  { found }: RegistrationCall,
  urlToken: string,
  { secret, id, config, saved }: RegistrationState,
): TriggerArguments {
  const { manifest } = registrationOf(found)
  const until = manifest.expires ? clock.now() + manifest.expires.minutes * MINUTE_MS : undefined
  return {
    ...config,
    ...found.trigger.webhook!.constants,
    ...saved,
    webhook_url: ingressUrl(publicUrl, found.toolkit.slug, urlToken),
    webhook_secret: secret,
    webhook_id: id,
    ...(until !== undefined && { webhook_until: new Date(until).toISOString(), webhook_until_ms: until }),
  }
}

/** Stores the values of a response together with those that the application sent to the URL meanwhile. */
async function storeResponse(
  { db, encryptor, clock }: PushDeps,
  { projectId, found }: RegistrationCall,
  urlToken: string,
  { body }: TriggerResponse,
): Promise<void> {
  const save = registrationOf(found).manifest.save ?? {}
  const returned = Object.fromEntries(
    Object.entries(save)
      .map(([name, path]) => [name, compilePath(path)(body)] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  )
  const now = clock.now()
  const expiresAt = expiryOf(found, body, now)
  await db.begin(async (tx) => {
    const row = await store.lockRegistration(tx, projectId, urlToken)
    if (!row)
      throw new RegistrationFailed('The registration took too long.', { status: 0, meaning: 'transient' })
    const state = decryptState(encryptor, row)
    const saved = { ...state.saved, ...returned }
    const missing = Object.keys(save).filter((name) => !Object.hasOwn(saved, name))
    if (missing.length > 0)
      throw new RegistrationFailed(
        `${found.toolkit.name} registered a webhook, but its response has no ${missing.join(', ')}.`,
        { status: 200, meaning: 'invalid' },
      )
    const renewAt = expiresAt && Math.max(now + MINUTE_MS, now + (expiresAt - now) * RENEW_AFTER)
    await store.markRegistered(tx, projectId, urlToken, {
      state: encryptState(await encryptor.ofProject(projectId), urlToken, { ...state, saved }),
      expires_at: expiresAt ? new Date(expiresAt) : null,
      renew_at: renewAt ? new Date(renewAt) : null,
    })
  })
}

/** When a registration expires, in ms: as the response says, else as the manifest says; undefined if it does not. */
function expiryOf(found: ResolvedTrigger, body: unknown, now: number): number | undefined {
  const { expires } = registrationOf(found).manifest
  if (!expires) return undefined
  const returned =
    expires.at === undefined
      ? undefined
      : parseTimestampMs(compilePath(expires.at)(body), expires.unit ?? 'date', now)
  return returned || now + expires.minutes * MINUTE_MS
}
