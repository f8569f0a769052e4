import type { ConnectionContext, Values } from '../../auth-schemes/index.ts'
import type { Toolkit } from '../../catalog/index.ts'
import { type Choice, completeConnection } from '../../engine/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { newId, randomText } from '../../platform/ids.ts'
import { homeOf } from './addresses.ts'
import type { AccountDeps } from './deps.ts'
import { recorded } from './exchanges.ts'
import type { FlowKind } from './flow-store.ts'
import { type Identity, type KnownIdentity, noteIdentity } from './identity.ts'
import { MOVES } from './lifecycle.ts'
import { openVal, valContext } from './open.ts'
import { withoutFailure } from './reopen.ts'
import { keepForRevocation } from './revocations.ts'
import { type AccountRow, findForUpdate, move, SETUP_END } from './store.ts'
import * as waits from './wait-store.ts'

/** New credentials on their way into an account. */
export interface Arrival {
  kind: FlowKind
  /** They take the place of all that the account holds (a form), or stand beside it (a grant): what a provider leaves out is kept. */
  isWhole: boolean
  val: Values
  /** Milliseconds since the epoch; null: unknown or never. */
  expiresAt: number | null
  scopes: { requested_scopes: string[]; requested_user_scopes: string[] } | null
  /** The step of `post_connect` that comes next. */
  step: number
  /** A provider sent the browser: the application may want to say who its user is. */
  isWalk: boolean
}

/** What the user chooses among, with what is to become of it. */
export interface Waiting {
  arrival: Arrival
  what: string
  choices: readonly Choice[]
  /** Where the application confirms, for a browser that waits until the code has come another way. */ url?: string
}

/** Where it stands: connected, too late, or waiting for the user (on the page of this id) or for the application (at this address). */
export type Progress =
  | { at: 'connected'; known: KnownIdentity | undefined }
  | { at: 'late' }
  | { at: 'choice'; id: string }
  | { at: 'confirmation'; url: string }

interface Way {
  projectId: string
  row: AccountRow
  toolkit: Toolkit
  setupWith(val: Values): ConnectionContext | undefined
  browserHash: Buffer
  wait?: string
  identity?: Identity | undefined
}

/** 190 bits: the session alone can be confirmed. */
const SESSION_CHARACTERS = 32

const waitContext = (id: string) => `connection_waits:${id}:sealed`
export const openWaiting = (
  { encryptor }: AccountDeps,
  { id, sealed }: Pick<waits.WaitRow, 'id' | 'sealed'>,
): Waiting => encryptor.decrypt<Waiting>(sealed, waitContext(id))

/** Goes on with new credentials as far as it gets. @throws GrantRefused, ProviderTrouble, ApiError, ToolFailure */
export async function advance(deps: AccountDeps, way: Way, arrival: Arrival): Promise<Progress> {
  const { projectId, row } = way
  const completed = await complete(deps, way, arrival)
  const next: Arrival = { ...arrival, val: { ...arrival.val, ...completed.val } }
  if (completed.kind === 'choose') {
    const waiting: Waiting = {
      arrival: { ...next, step: completed.step },
      what: completed.what,
      choices: completed.choices,
    }
    const id = await waitFor(deps, way, 'choice', way.browserHash, waiting)
    return id === undefined ? { at: 'late' } : { at: 'choice', id }
  }
  const verifier = arrival.isWalk ? (await deps.branding(projectId)).verifierUrl : null
  if (verifier) {
    const session = `session_${randomText(SESSION_CHARACTERS)}`
    const url = homeOf(verifier, { session_uri: session })
    const id = await waitFor(deps, way, 'confirmation', waits.hashKey(session), {
      arrival: next,
      what: '',
      choices: [],
      url,
    })
    return id === undefined ? { at: 'late' } : { at: 'confirmation', url }
  }
  const stored = await deps.db.begin(
    async (tx) => (await isOver(tx, way.wait)) && (await store(deps, tx, projectId, row.id, next)),
  )
  return stored
    ? { at: 'connected', known: await noteIdentity(deps, projectId, row.id, way.identity) }
    : { at: 'late' }

  async function isOver(tx: Db, wait: string | undefined): Promise<boolean> {
    return wait === undefined || waits.take(tx, projectId, wait)
  }
}

async function complete(deps: AccountDeps, { projectId, row, toolkit, setupWith }: Way, arrival: Arrival) {
  const setup = setupWith(arrival.val)
  if (!setup?.scheme.manifest.post_connect) return { kind: 'done' as const, val: {} }
  return recorded(deps, { projectId, accountId: row.id, kind: 'post_connect', setup }, (tools) =>
    completeConnection(tools, toolkit, setup, arrival.step),
  )
}

/** The account waits for ten minutes more; one that works meanwhile works on. Undefined when it waits for nothing any longer. */
function waitFor(
  { db, encryptor }: AccountDeps,
  { projectId, row, wait }: Way,
  waitsFor: waits.WaitsFor,
  keyHash: Buffer,
  waiting: Waiting,
): Promise<string | undefined> {
  const id = newId('cw')
  return db.begin(async (tx) => {
    if (wait !== undefined && !(await waits.take(tx, projectId, wait))) return undefined
    const current = await findForUpdate(tx, projectId, row.id)
    if (!current || !mayArrive(waiting.arrival.kind, current)) return undefined
    await move(tx, projectId, row.id, 'send', { setup_expires_at: SETUP_END })
    await waits.insert(tx, {
      id,
      project_id: projectId,
      connected_account_id: row.id,
      waits_for: waitsFor,
      key_hash: keyHash,
      sealed: encryptor.encrypt(waiting, waitContext(id)),
    })
    return id
  })
}

/** Whether credentials of this kind can still come to the account. A first walk never writes over an account that is connected. */
export const mayArrive = (kind: FlowKind, { status }: Pick<AccountRow, 'status'>): boolean =>
  (MOVES[kind].from as readonly string[]).includes(status)

/**
 * Stores new credentials. Those of a grant are merged with what the row holds at this moment, not when the walk began: a renewal may have been here meanwhile, and
 * what the provider leaves out (a refresh token that it hands out once) is kept. False when the account waits for them no longer.
 */
export async function store(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  id: string,
  { kind, isWhole, val, expiresAt, scopes }: Arrival,
): Promise<boolean> {
  const row = await findForUpdate(tx, projectId, id)
  if (!row || !mayArrive(kind, row)) return false
  await keepForRevocation(deps, tx, projectId, row)
  const { revoked_at: _revokedAt, ...stood } = withoutFailure(openVal(deps.encryptor, row))
  return move(tx, projectId, id, kind, {
    val: deps.encryptor.encrypt(isWhole ? val : { ...stood, ...val }, valContext(id)),
    token_expires_at: expiresAt === null ? null : new Date(expiresAt),
    ...(scopes && kind === 'reconnect' ? scopes : {}),
  })
}
