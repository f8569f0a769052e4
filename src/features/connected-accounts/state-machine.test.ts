import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ACCOUNT_STATUSES, type AccountStatus } from '../../contract/schemes.ts'
import { sql } from '../../platform/db/sql.ts'
import { moveAccount, TRANSITIONS, type Transition } from './state-machine.ts'
import { BEARER, startConnectedAccountsApp, statusChangeDeps } from '#fixtures/connected-accounts.ts'

/**
 * The life cycle of the contract, written a second time: from a status to those it may become. That INACTIVE
 * may become REVOKED is ours: an incident ends what it froze.
 */
const ALLOWED: Readonly<Record<AccountStatus, readonly AccountStatus[]>> = {
  INITIALIZING: ['INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED'],
  INITIATED: ['INITIATED', 'ACTIVE', 'FAILED', 'EXPIRED'],
  ACTIVE: ['ACTIVE', 'EXPIRED', 'INACTIVE', 'REVOKED'],
  INACTIVE: ['ACTIVE', 'INACTIVE', 'INITIATED', 'REVOKED'],
  EXPIRED: ['ACTIVE', 'INITIATED'],
  FAILED: ['ACTIVE', 'INITIATED'],
  REVOKED: ['INITIATED'],
}

test('state machine: the transitions are exactly those of the contract', () => {
  for (const from of ACCOUNT_STATUSES) {
    const reached = new Set(
      Object.values(TRANSITIONS)
        .filter((one) => (one.from as readonly string[]).includes(from))
        .map(({ to }) => to),
    )
    assert.deepEqual([...reached].sort(), [...ALLOWED[from]].sort(), from)
  }
})

test('state machine: any sequence of transitions leaves the row in the status of the table', async (t) => {
  const s = await startConnectedAccountsApp(t, { auth: [BEARER] })
  const id = await s.addAccount(await s.addAuthConfig('BEARER_TOKEN'), 'BEARER_TOKEN', { token: 'x' })
  const { project_id: project } = await s.accountRow(id)
  const deps = statusChangeDeps(s)
  const names = Object.keys(TRANSITIONS) as Transition[]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ACCOUNT_STATUSES),
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 8 }),
      async (start, steps) => {
        await s.app.db.run(sql`update connected_accounts set status = ${start} where id = ${id}`)
        let expected: AccountStatus = start
        for (const step of steps) {
          const { from, to } = TRANSITIONS[step]
          const may = (from as readonly AccountStatus[]).includes(expected)
          if (may) expected = to
          const isMoved = await s.app.db.begin((tx) => moveAccount(deps, tx, project, id, step))
          assert.equal(isMoved, may)
          assert.equal((await s.accountRow(id))['status'], expected)
        }
      },
    ),
    { numRuns: 60 },
  )
})
