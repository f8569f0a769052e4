import type { AccountStatus } from '../../contract/schemes.ts'
import { assignments, type Db, type Sql, sql } from '../../platform/db/sql.ts'
import { publishAccountEvents } from './events.ts'
import { recordStatusChanges } from './status-history.ts'

/** All transitions of the status of a connected account. A transition that is not listed cannot happen. */
export const TRANSITIONS = {
  /** The browser is redirected to the provider. */
  redirect: { from: ['INITIALIZING', 'INITIATED'], to: 'INITIATED' },
  /** The first credentials are stored. */
  connect: { from: ['INITIALIZING', 'INITIATED'], to: 'ACTIVE' },
  /** The provider denied access, or its response could not be used. */
  fail: { from: ['INITIALIZING', 'INITIATED'], to: 'FAILED' },
  /** The user did not finish connecting in time. */
  timeout: { from: ['INITIALIZING', 'INITIATED'], to: 'EXPIRED' },
  /** The provider rejected the refresh token or the credentials for good. */
  expire: { from: ['ACTIVE'], to: 'EXPIRED' },
  /** A token refresh succeeded late, after its account was marked as expired over the same credentials. */
  recover: { from: ['EXPIRED'], to: 'ACTIVE' },
  disable: { from: ['ACTIVE', 'INACTIVE'], to: 'INACTIVE' },
  enable: { from: ['ACTIVE', 'INACTIVE'], to: 'ACTIVE' },
  /** New credentials are written through the API. */
  replace: { from: ['EXPIRED', 'FAILED'], to: 'ACTIVE' },
  /**
   * The user authenticates again; until then the account cannot be used. An ACTIVE account has no such
   * transition: it keeps working until the new credentials are stored.
   */
  reopen: { from: ['EXPIRED', 'FAILED', 'INACTIVE', 'REVOKED'], to: 'INITIATED' },
  /** An authorization flow on an existing account stores new credentials. */
  reconnect: { from: ['INITIALIZING', 'INITIATED', 'ACTIVE'], to: 'ACTIVE' },
  /** The grant is revoked at the provider. */
  revoke: { from: ['ACTIVE'], to: 'REVOKED' },
  /** An administrator stops the account because of an incident. */
  freeze: { from: ['ACTIVE'], to: 'INACTIVE' },
  /** The grant of an account that an incident froze is revoked at the provider. */
  revokeFrozen: { from: ['INACTIVE'], to: 'REVOKED' },
} as const satisfies Record<string, { from: readonly AccountStatus[]; to: AccountStatus }>

export type Transition = keyof typeof TRANSITIONS

/** Transitions that store credentials; they set the time at which the account was connected. */
const CONNECTING_TRANSITIONS: readonly Transition[] = ['connect', 'replace', 'reconnect']

/** Minutes that a user has to finish connecting. */
const SETUP_MINUTES = 10

/** The end of the time to connect, by the clock of the database, which also compares it. */
export const SETUP_EXPIRES_AT = sql`now() + make_interval(mins => ${SETUP_MINUTES})`

export const STATUS_REASONS = {
  setupTimeout: `The connection was not finished within ${SETUP_MINUTES} minutes.`,
  changedByUser: 'Changed by the user.',
  refreshRejected: 'The provider rejected the token refresh permanently',
  signInRejected: 'The provider rejected the first sign-in',
  tooManyFailures: 'The provider rejected the credentials several times in a row.',
  accessEnded: 'The access has expired, and the provider gave no refresh token.',
  callbackFailed: 'The provider did not grant access',
  revoked: 'The access was revoked at the provider.',
  wrongUser: 'The application reported that a different user returned from the provider.',
  differentIdentity: 'The last authentication was as a different identity than the one before.',
  frozen: 'Frozen by the administrator after an incident',
  authConfigDeleted: 'The auth config was deleted.',
} as const

const STATUS_REASON_CHARACTERS_MAX = 500

/** A text of the provider in a form that the column can store. */
export const toStatusReason = (text: string): string =>
  text.slice(0, STATUS_REASON_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed()

/** Whether the transition is possible from this status. */
export const canMove = (transition: Transition, status: AccountStatus): boolean =>
  (TRANSITIONS[transition].from as readonly AccountStatus[]).includes(status)

/** The status of one account before and after a change. */
export interface AccountStatusChange {
  id: string
  projectId: string
  from: AccountStatus
  to: AccountStatus
  deleted: boolean
}

export interface StatusChangeDeps {
  /** Applies the consequences of the changes, such as disabling triggers, in the same transaction. */
  onAccountStatusChanged(tx: Db, accounts: readonly AccountStatusChange[]): Promise<void>
}

/** Row of the statement that changes accounts. */
export interface ChangedAccountRow {
  id: string
  project_id: string
  from: AccountStatus
  to: AccountStatus
  deleted: boolean
  auth_scheme: string
  status_reason: string | null
}

/**
 * Changes the status of accounts, or deletes them, and applies the consequences in the same transaction. No
 * other function writes `status` or `deleted_at`. `where` refers to the table as `c`. Returns the changed
 * accounts.
 */
export async function changeAccounts(
  deps: StatusChangeDeps,
  tx: Db,
  { where, set }: { where: Sql; set: Readonly<Record<string, unknown>> },
): Promise<readonly ChangedAccountRow[]> {
  const rows = await tx.rows<ChangedAccountRow>(sql`
    with before as (
      select c.id as account_id, c.status as old_status from connected_accounts c where ${where} for update)
    update connected_accounts c set ${assignments({ ...set, updated_at: sql`now()` })}
    from before b where c.id = b.account_id
    returning c.id, c.project_id, b.old_status as "from", c.status as "to", c.deleted_at is not null as deleted,
      c.auth_scheme, c.status_reason`)
  const changed = rows.filter(({ from, to, deleted }) => from !== to || deleted)
  if (changed.length === 0) return rows
  await deps.onAccountStatusChanged(
    tx,
    changed.map(({ id, project_id, from, to, deleted }) => ({
      id,
      projectId: project_id,
      from,
      to,
      deleted,
    })),
  )
  await recordStatusChanges(tx, changed)
  await publishAccountEvents(tx, changed)
  return rows
}

/** Columns that may change together with the status. */
export interface AccountChange {
  status_reason?: string | null
  credentials?: Buffer
  token_expires_at?: Date | null
  setup_expires_at?: Sql
  requested_scopes?: string[]
  requested_user_scopes?: string[]
  refresh_lease?: null
  refresh_lease_until?: null
}

/**
 * Written with new credentials: a token refresh of the older ones that is in progress must neither overwrite
 * the new ones nor make other callers wait.
 */
export const NEW_CREDENTIALS_COLUMNS = {
  credentials_version: sql`credentials_version + 1`,
  refresh_lease: null,
  refresh_lease_until: null,
}

/**
 * Moves an account to another status. Returns false if the account is deleted, is not in a status from which
 * the transition starts, or does not fulfil `condition`.
 */
export async function moveAccount(
  deps: StatusChangeDeps,
  tx: Db,
  projectId: string,
  id: string,
  transition: Transition,
  change: AccountChange = {},
  condition: Sql = sql`true`,
): Promise<boolean> {
  const { from, to } = TRANSITIONS[transition]
  const moved = await changeAccounts(deps, tx, {
    where: sql`c.project_id = ${projectId} and c.id = ${id} and c.deleted_at is null
      and c.status = any(${[...from] as string[]}) and ${condition}`,
    set: {
      status_reason: null,
      ...change,
      status: to,
      ...(change.credentials ? NEW_CREDENTIALS_COLUMNS : {}),
      ...(CONNECTING_TRANSITIONS.includes(transition)
        ? { connected_at: sql`now()`, refreshed_at: sql`now()`, setup_expires_at: null, auth_failures: 0 }
        : {}),
    },
  })
  return moved.length > 0
}
