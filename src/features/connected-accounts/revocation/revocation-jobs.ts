import {
  type ConnectionContext,
  type Credentials,
  GrantRejected,
  ProviderUnavailable,
  redactSecrets,
} from '../../../auth-schemes/index.ts'
import { bindToProject } from '../../../catalog/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { enqueue, enqueueEach, type Schedule, type Task } from '../../../platform/jobs/index.ts'
import { accountConnectionContext, decryptCredentials } from '../credentials.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { toStatusReason } from '../state-machine.ts'
import { type AccountRow, findAccountOrDeleted } from '../store.ts'
import * as revocations from './revocation-store.ts'
import { isRevocable, markRevoked, revokeGrant } from './revoke.ts'

const REVOKE_TASK = 'connectedAccounts.revoke'
const REVOKE_MANY_TASK = 'connectedAccounts.revokeJob'
const BATCH_SIZE = 500

const encryptionContext = (id: string) => `revocations:${id}:encrypted_payload`

/** Copies the credentials of `row` to its pending revocation, before they are replaced or erased. */
export const copyCredentialsForRevocation = (
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: AccountRow,
): Promise<void> =>
  revocations.storeCredentialsCopy(tx, projectId, row.id, async (id) =>
    (await deps.encryptor.ofProject(projectId)).encrypt(
      decryptCredentials(deps.encryptor, row),
      encryptionContext(id),
    ),
  )

/**
 * Schedules the revocation of a grant after this transaction, even if the account is deleted. Returns the job
 * id.
 */
export async function scheduleRevocation(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: AccountRow,
): Promise<string> {
  const { id, job_id } = await revocations.insertRevocation(tx, projectId, row.id)
  await copyCredentialsForRevocation(deps, tx, projectId, row)
  await enqueueEach(tx, REVOKE_TASK, [id])
  return job_id
}

/** Schedules the revocation of all accounts of an auth config, which keep their credentials until then. */
export async function scheduleAuthConfigRevocations(
  tx: Db,
  projectId: string,
  authConfigId: string,
): Promise<string> {
  const jobId = await revocations.insertAuthConfigRevocations(tx, projectId, authConfigId)
  await scheduleRevocationJob(tx, jobId)
  return jobId
}

/**
 * Schedules one job that enqueues all pending revocations of `jobId`, so that the caller's transaction stays
 * short.
 */
export const scheduleRevocationJob = (tx: Db, jobId: string): Promise<void> =>
  enqueue(tx, REVOKE_MANY_TASK, { id: jobId })

export function revocationTasks(deps: SharedAccountDeps): Task[] {
  return [
    { task: REVOKE_TASK, run: ({ id }, { isLast }) => runRevocation(deps, String(id), isLast) },
    { task: REVOKE_MANY_TASK, run: ({ id }) => enqueuePending(deps, String(id)) },
  ]
}

async function enqueuePending({ db }: SharedAccountDeps, jobId: string): Promise<void> {
  let ids = await revocations.listPendingIds(db, jobId, '', BATCH_SIZE)
  while (ids.length > 0) {
    await enqueueEach(db, REVOKE_TASK, ids)
    ids = await revocations.listPendingIds(db, jobId, ids.at(-1) as string, BATCH_SIZE)
  }
}

export const revocationSchedules = (deps: SharedAccountDeps): Schedule[] => [
  {
    task: 'connectedAccounts.failAbandonedRevocations',
    cron: '23 * * * *',
    async run() {
      for (const id of await revocations.listAbandonedIds(deps.db, BATCH_SIZE))
        await revocations.finishRevocation(deps.db, id, {
          status: 'failed',
          last_error: 'All attempts within two days failed.',
        })
    },
  },
]

/**
 * Makes one attempt. Repeated after a crash, it finds that the grant is revoked, which counts as a success.
 * @throws what the job queue retries
 */
async function runRevocation(shared: SharedAccountDeps, id: string, isLast: boolean): Promise<void> {
  const revocation = await revocations.findRevocation(shared.db, id)
  if (revocation?.status !== 'pending') return
  const { project_id: projectId, connected_account_id: accountId, encrypted_payload: copy } = revocation
  const deps = await bindToProject<AccountDeps>(shared, projectId)
  const row = await findAccountOrDeleted(deps.db, projectId, accountId)
  const copiedCredentials = copy
    ? () => deps.encryptor.decrypt<Credentials>(copy, encryptionContext(id))
    : undefined
  const connection = row && accountConnectionContext(deps, row, copiedCredentials)
  if (!row || !isRevocable(connection)) {
    await revocations.finishRevocation(deps.db, id, {
      status: 'unsupported',
      last_error:
        'The provider has no request that revokes this access: revoke it in the application itself.',
    })
    return
  }
  try {
    const { tokens } = await revokeGrant(deps, projectId, row.id, connection)
    if (!copy && !(await markRevoked(deps, projectId, row)))
      throw new ProviderUnavailable('New credentials were stored while the old ones were revoked.')
    await revocations.finishRevocation(deps.db, id, {
      status: 'done',
      last_error: null,
      revoked_tokens: tokens,
    })
  } catch (error) {
    await recordFailure(deps, id, connection, error, isLast)
  }
}

async function recordFailure(
  deps: AccountDeps,
  id: string,
  connection: ConnectionContext,
  error: unknown,
  isLast: boolean,
): Promise<void> {
  // The administrator can add missing client credentials again. Without them, there is no secret to redact
  // either.
  const lacksClient = error instanceof ApiError && error.slug === 'Auth_Config_DefaultAuthConfigNotFound'
  const isExpected = error instanceof GrantRejected || error instanceof ProviderUnavailable || lacksClient
  const text = isExpected
    ? toStatusReason(lacksClient ? error.message : redactSecrets(error.message, connection))
    : 'An internal error occurred; the server log has the cause.'
  const isFinal = isLast || error instanceof GrantRejected
  if (isFinal) await revocations.finishRevocation(deps.db, id, { status: 'failed', last_error: text })
  else await revocations.countAttempt(deps.db, id, text)
  if (!isExpected) throw error
  // The job queue stores the message of the error, which must not contain the text of the provider.
  if (!isFinal) throw new Error('The access could not be revoked at the provider; the job is retried.')
}
