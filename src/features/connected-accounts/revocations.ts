import {
  GrantRejected,
  ProviderTrouble,
  type ConnectionContext,
  type Values,
  withoutSecrets,
} from '../../auth-schemes/index.ts'
import { inProject } from '../../catalog/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import { enqueue, enqueueEach, type Schedule, type Task } from '../../platform/jobs/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { asReason } from './lifecycle.ts'
import { openVal } from './open.ts'
import * as revocations from './revocation-store.ts'
import { endGrant, isRevocable, markRevoked, setupFor } from './revoke.ts'
import { type AccountRow, findEvenDeleted } from './store.ts'

const ONE = 'connectedAccounts.revoke'
const MANY = 'connectedAccounts.revokeJob'
const PORTION = 500

const copyContext = (id: string) => `revocations:${id}:sealed`

/** The credentials of `row` are about to be replaced or wiped: a pending revocation keeps its own copy of them. */
export const keepForRevocation = (
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: AccountRow,
): Promise<void> =>
  revocations.keepCopy(tx, projectId, row.id, (id) =>
    deps.encryptor.encrypt(openVal(deps.encryptor, row), copyContext(id)),
  )

/** Has the grant of an account ended at the provider once this transaction commits, whatever happens to the account. Answers the job id. */
export async function revokeLater(
  deps: AccountDeps,
  tx: Db,
  projectId: string,
  row: AccountRow,
): Promise<string> {
  const { id, job_id } = await revocations.add(tx, projectId, row.id)
  await keepForRevocation(deps, tx, projectId, row)
  await enqueueEach(tx, ONE, [id])
  return job_id
}

/** As `revokeLater`, for all accounts of an auth config; they keep their credentials until it is done. */
export async function revokeConfigLater(tx: Db, projectId: string, authConfigId: string): Promise<string> {
  const jobId = await revocations.addForConfig(tx, projectId, authConfigId)
  await spreadLater(tx, jobId)
  return jobId
}

/** One job that adds a job for every pending revocation under this id: the caller's transaction stays short, however many they are. */
export const spreadLater = (tx: Db, jobId: string): Promise<void> => enqueue(tx, MANY, { id: jobId })

export function revocationTasks(deps: SharedAccountDeps): Task[] {
  return [
    { task: ONE, run: ({ id }, { isLast }) => revokeOne(deps, String(id), isLast) },
    {
      task: MANY,
      async run({ id: jobId }) {
        for (
          let after = '', ids;
          (ids = await revocations.pendingOf(deps.db, String(jobId), after, PORTION)).length > 0;
          after = ids.at(-1) as string
        )
          await enqueueEach(deps.db, ONE, ids)
      },
    },
  ]
}

export const revocationSchedules = (deps: SharedAccountDeps): Schedule[] => [
  {
    task: 'connectedAccounts.endForgottenRevocations',
    cron: '23 * * * *',
    async run() {
      for (const id of await revocations.forgotten(deps.db, PORTION))
        await revocations.finish(deps.db, id, {
          status: 'failed',
          last_error: 'It was tried for two days without an end.',
        })
    },
  },
]

/** One try; done again after a crash it finds the grant ended, which counts as ended. @throws what the queue tries again */
async function revokeOne(shared: SharedAccountDeps, id: string, isLast: boolean): Promise<void> {
  const revocation = await revocations.find(shared.db, id)
  if (revocation?.status !== 'pending') return
  const deps = await inProject<AccountDeps>(shared, revocation.project_id)
  const row = await findEvenDeleted(deps.db, revocation.project_id, revocation.connected_account_id)
  const copy = revocation.sealed
  const setup =
    row && setupFor(deps, row, copy ? () => deps.encryptor.decrypt<Values>(copy, copyContext(id)) : undefined)
  if (!row || !isRevocable(setup)) {
    await revocations.finish(deps.db, id, {
      status: 'unsupported',
      last_error: 'There is no way to end this access at the provider: revoke it in the application itself.',
    })
    return
  }
  try {
    const { tokens } = await endGrant(deps, revocation.project_id, row.id, setup)
    if (!copy && !(await markRevoked(deps, revocation.project_id, row)))
      throw new ProviderTrouble('New credentials arrived while the old ones were ended.')
    await revocations.finish(deps.db, id, { status: 'done', last_error: null, revoked_tokens: tokens })
  } catch (error) {
    await failed(deps, id, setup, error, isLast)
  }
}

async function failed(
  deps: AccountDeps,
  id: string,
  setup: ConnectionContext,
  error: unknown,
  isLast: boolean,
): Promise<void> {
  // Of a managed account without the operator's client there is nothing else to hide, and the operator may bring it back.
  const lacksClient = error instanceof ApiError && error.slug === 'Auth_Config_DefaultAuthConfigNotFound'
  const isKnown = error instanceof GrantRejected || error instanceof ProviderTrouble || lacksClient
  const text = !isKnown
    ? 'It failed inside the server; the log has the cause.'
    : asReason(lacksClient ? error.message : withoutSecrets(error.message, setup))
  if (isLast || error instanceof GrantRejected)
    await revocations.finish(deps.db, id, { status: 'failed', last_error: text })
  else await revocations.tried(deps.db, id, text)
  if (!isKnown) throw error
  // The queue keeps the text of an error where the provider's words have no place.
  if (!isLast && !(error instanceof GrantRejected))
    throw new Error('The provider could not be asked to end the access; it is tried again.')
}
