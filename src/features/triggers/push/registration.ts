import {
  type CompiledRegistration,
  compilePath,
  type CompiledRequest,
  type ResolvedTrigger,
  parseTimestampMs,
  type TriggerArguments,
} from '../../../catalog/index.ts'
import type { TriggerResponse, SendTriggerRequest } from '../../../engine/index.ts'
import { randomText } from '../../../platform/ids.ts'
import { ingressUrl } from './endpoints/index.ts'
import type { HookDeps } from './deps.ts'
import { newState, openState, type RegistrationState, sealState } from './state.ts'
import * as store from './store.ts'

/** An instance as its registration needs it. */
export interface Hooked {
  projectId: string
  instanceId: string
  accountId: string
  found: ResolvedTrigger
  signal: AbortSignal
}
/** One that is registered anew. */
export type NewlyHooked = Hooked & { config: TriggerArguments }

/** The application did not do what was asked. */
export class NotRegistered extends Error {
  readonly answer: Pick<TriggerResponse, 'status' | 'meaning'>

  constructor(message: string, answer: Pick<TriggerResponse, 'status' | 'meaning'>) {
    super(message)
    this.answer = answer
  }
}

/** 190 random bits: where nothing is signed, the address alone proves a delivery. */
const ADDRESS_LETTERS = 32
const REQUEST_MS = 30_000
const MINUTE_MS = 60_000
/** How much of its time a registration stands before it is renewed. */
const RENEW_AFTER = 0.75

/**
 * Registers a new address for an instance. The address is known before the application is asked, which may try it before it answers. Answers the address.
 * @throws NotRegistered; ApiError when the account cannot be used
 */
export async function register(deps: HookDeps, hooked: NewlyHooked): Promise<string> {
  const { projectId, instanceId, accountId, found, config } = hooked
  const registration = registrationOf(found)
  const address = `wi_${randomText(ADDRESS_LETTERS)}`
  const state = newState(config)
  await store.insert(deps.db, {
    url_token: address,
    project_id: projectId,
    instance_id: instanceId,
    connected_account_id: accountId,
    toolkit_slug: found.toolkit.slug,
    trigger_slug: found.trigger.slug,
    version: found.version,
    state: sealState(deps.encryptor, address, state),
  })
  try {
    const ask = await deps.requests({ ...hooked, deadlineMs: REQUEST_MS })
    await settle(
      deps,
      hooked,
      address,
      await asked(
        ask,
        registration.request,
        argumentsOf(deps, hooked, address, state),
        'register a webhook',
        found,
      ),
    )
  } catch (error) {
    await store.remove(deps.db, projectId, address).catch(() => {})
    throw error
  }
  return address
}

/** Asks for more time under the same address. @throws NotRegistered, ApiError */
export async function renew(deps: HookDeps, hooked: Hooked, row: store.RegistrationRow): Promise<void> {
  const { renew: request } = registrationOf(hooked.found)
  const ask = await deps.requests({ ...hooked, deadlineMs: REQUEST_MS })
  await settle(
    deps,
    hooked,
    row.url_token,
    await asked(
      ask,
      request!,
      argumentsOf(deps, hooked, row.url_token, openState(deps.encryptor, row)),
      'renew a webhook',
      hooked.found,
    ),
  )
}

/** Ends a registration at the application; one that it does not know any more is ended. @throws NotRegistered, ApiError */
export async function unregister(deps: HookDeps, hooked: Hooked, row: store.RegistrationRow): Promise<void> {
  const { remove } = registrationOf(hooked.found)
  if (remove && row.registered_at) {
    const ask = await deps.requests({ ...hooked, deadlineMs: REQUEST_MS })
    await asked(
      ask,
      remove,
      argumentsOf(deps, hooked, row.url_token, openState(deps.encryptor, row)),
      'remove a webhook',
      hooked.found,
    ).catch((error: unknown) => {
      if (!(error instanceof NotRegistered) || !GONE.includes(error.answer.status)) throw error
    })
  }
  await store.remove(deps.db, hooked.projectId, row.url_token)
}

const GONE = [404, 410]

function registrationOf({ trigger }: ResolvedTrigger): CompiledRegistration {
  const registration = trigger.webhook?.registration
  if (!registration) throw new Error(`${trigger.slug} registers nothing.`)
  return registration
}

async function asked(
  ask: SendTriggerRequest,
  request: CompiledRequest,
  args: TriggerArguments,
  what: string,
  { toolkit }: ResolvedTrigger,
): Promise<TriggerResponse> {
  const answer = await ask(request, args, { changes: true })
  if (!answer.ok) throw new NotRegistered(`${toolkit.name} was asked to ${what}: ${answer.message}`, answer)
  return answer
}

function argumentsOf(
  { publicUrl, clock }: HookDeps,
  { found }: Hooked,
  address: string,
  { secret, id, config, saved }: RegistrationState,
): TriggerArguments {
  const { manifest } = registrationOf(found)
  const until = manifest.expires ? clock.now() + manifest.expires.minutes * MINUTE_MS : undefined
  return {
    ...config,
    ...found.trigger.webhook!.constants,
    ...saved,
    webhook_url: ingressUrl(publicUrl, found.toolkit.slug, address),
    webhook_secret: secret,
    webhook_id: id,
    ...(until !== undefined && { webhook_until: new Date(until).toISOString(), webhook_until_ms: until }),
  }
}

/** Keeps what the application answered, beside what it brought to the address meanwhile. */
async function settle(
  { db, encryptor, clock }: HookDeps,
  { projectId, found }: Hooked,
  address: string,
  { body }: TriggerResponse,
): Promise<void> {
  const {
    manifest: { save = {}, expires },
  } = registrationOf(found)
  const answered = Object.fromEntries(
    Object.entries(save)
      .map(([name, path]) => [name, compilePath(path)(body)] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  )
  const now = clock.now()
  const endsAt =
    (expires &&
      (expires.at === undefined
        ? undefined
        : parseTimestampMs(compilePath(expires.at)(body), expires.unit ?? 'date', now))) ||
    (expires && now + expires.minutes * MINUTE_MS)
  await db.begin(async (tx) => {
    const row = await store.findForUpdate(tx, projectId, address)
    if (!row) throw new NotRegistered('The registration took too long.', { status: 0, meaning: 'transient' })
    const state = openState(encryptor, row)
    const saved = { ...state.saved, ...answered }
    const missing = Object.keys(save).filter((name) => !Object.hasOwn(saved, name))
    if (missing.length > 0)
      throw new NotRegistered(
        `${found.toolkit.name} registered a webhook and answered without ${missing.join(', ')}.`,
        { status: 200, meaning: 'invalid' },
      )
    const renewAt = endsAt ? new Date(Math.max(now + MINUTE_MS, now + (endsAt - now) * RENEW_AFTER)) : null
    await store.markRegistered(tx, projectId, address, {
      state: sealState(encryptor, address, { ...state, saved }),
      expires_at: endsAt ? new Date(endsAt) : null,
      renew_at: renewAt,
    })
  })
}
