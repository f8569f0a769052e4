import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { EngineAccount } from '../../../engine/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/errors.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createEgress, parseAllowRules } from '../../../platform/egress/index.ts'
import { createLog } from '../../../platform/log.ts'
import type { AccountDeps, SharedAccountDeps } from '../deps.ts'
import { toEngineAccount } from '../credentials.ts'
import { createTokenRefresh } from './refresh.ts'
import { type AccountRow, findAccount } from '../store.ts'
import * as leaseStore from './lease-store.ts'
import { form } from '#fixtures/connected-accounts.ts'
import { startRefreshableAccount } from '#fixtures/token-refresh.ts'

type RefreshableAccount = Awaited<ReturnType<typeof startRefreshableAccount>>
const CLAIM_FOR_OTHER_PROCESS = sql`
  update connected_accounts set refresh_lease = 'other', refresh_lease_until = now() + interval '1 minute'`
const END_LEASE = sql`update connected_accounts set refresh_lease_until = now() - interval '1 second'`

/** Starts a token refresh like a second process. The hooks run before each attempt to claim and to store. */
async function startProcess(
  t: TestContext,
  s: RefreshableAccount,
  { beforeClaim, beforeStore }: { beforeClaim?: () => void; beforeStore?: () => void } = {},
) {
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const deps = {
    db: s.app.db,
    encryptor: s.encryptor,
    catalog: s.catalog,
    catalogOf: () => s.catalog,
    egressOf: async () => egress,
    clock: s.clock,
    log: createLog('silent'),
    providerRequests: { add() {} },
    onAccountStatusChanged: async () => {},
  } as unknown as AccountDeps & SharedAccountDeps // The dependencies that a refresh uses.
  const { project_id: projectId } = (await s.accountRow(s.id)) as { project_id: string }
  const account = async () =>
    toEngineAccount(deps, (await findAccount(s.app.db, projectId, s.id)) as AccountRow)
  const refresh = createTokenRefresh(deps, {
    ...leaseStore,
    claimLease: async (...args) => {
      beforeClaim?.()
      return leaseStore.claimLease(...args)
    },
    storeRefreshedCredentials: async (...args) => {
      beforeStore?.()
      return leaseStore.storeRefreshedCredentials(...args)
    },
  })
  return {
    refresh: async (known?: EngineAccount) => refresh(projectId, known ?? (await account())),
    account,
  }
}

test('refresh lease: a late response waits for the newer lease, and is stored if that gets none', async (t) => {
  const s = await startRefreshableAccount(t)
  let stores = 0
  const slow = await startProcess(t, s, {
    beforeStore() {
      // The other process fails and releases the lease without storing anything.
      if (++stores === 3)
        void s.app.db.run(sql`update connected_accounts set refresh_lease = null, refresh_lease_until = null`)
    },
  })
  s.provider.token = async () => {
    await s.app.db.run(CLAIM_FOR_OTHER_PROCESS)
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  await slow.refresh()
  assert.ok(stores >= 3)
  assert.equal((await s.storedCredentials())['refresh_token'], 'refresh-2')
})

test('refresh lease: a late response is dropped if another process has stored a newer one', async (t) => {
  const s = await startRefreshableAccount(t)
  const slow = await startProcess(t, s, {
    beforeStore() {
      if (done) return
      done = true
      void s.storeFromOtherProcess({ access_token: 'access-9', refresh_token: 'refresh-9' })
    },
  })
  let done = false
  s.provider.token = async () => {
    await s.app.db.run(CLAIM_FOR_OTHER_PROCESS)
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  assert.equal((await slow.refresh()).context?.credentials['access_token'], 'access-9')
  assert.equal((await s.storedCredentials())['refresh_token'], 'refresh-9')
})

test('refresh lease: a late rejection expires nothing, because the process with the newer lease decides', async (t) => {
  const s = await startRefreshableAccount(t)
  const slow = await startProcess(t, s)
  s.provider.token = async () => {
    await s.app.db.run(CLAIM_FOR_OTHER_PROCESS)
    setImmediate(() => {
      void s.storeFromOtherProcess({ access_token: 'access-9', refresh_token: 'refresh-9' })
    })
    return { status: 400, json: { error: 'invalid_grant' } }
  }
  assert.equal((await slow.refresh()).context?.credentials['access_token'], 'access-9')
  assert.equal((await s.accountRow(s.id))['status'], 'ACTIVE')
})

test('refresh lease: after a takeover, a rejection waits for a late response of the former holder', async (t) => {
  const s = await startRefreshableAccount(t)
  await s.app.db.run(CLAIM_FOR_OTHER_PROCESS)
  await s.app.db.run(END_LEASE)
  // The former holder lives after all. Its answer is stored as any late one: by the same statement, under its
  // own lease.
  const former = await startProcess(t, s)
  let asked = 0
  s.provider.token = async () => {
    if (++asked > 1) return { status: 400, json: { error: 'invalid_grant' } }
    await s.app.db.run(END_LEASE)
    void next.refresh().then((account) => {
      takenOver = account
    })
    while (asked < 2) await new Promise(setImmediate)
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  let takenOver: EngineAccount | undefined
  const next = await startProcess(t, s)
  assert.equal((await former.refresh()).context?.credentials['refresh_token'], 'refresh-2')
  while (!takenOver) await new Promise(setImmediate)
  assert.equal(takenOver.context?.credentials['refresh_token'], 'refresh-2')
  assert.deepEqual(
    [
      (await s.accountRow(s.id))['status'],
      (await s.accountRow(s.id))['credentials_version'],
      (await s.accountRow(s.id))['refresh_lease'],
    ],
    ['ACTIVE', 2, null],
  )
})

test('refresh lease: after an outage, a fetched token is stored before another process sends a request', async (t) => {
  const s = await startRefreshableAccount(t)
  let claims = 0
  const holder = await startProcess(t, s, {
    beforeStore() {
      if (claims === 0) throw new DatabaseUnavailable(new Error('no primary'))
    },
  })
  const other = await startProcess(t, s, {
    beforeClaim() {
      claims++
    },
  })
  let requests = 0
  let takeover: Promise<EngineAccount> | undefined
  s.provider.token = async () => {
    requests++
    // The lease ends during the outage; then the other process is the first one that reaches the database.
    await s.app.db.run(END_LEASE)
    takeover ??= other.refresh()
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  assert.equal((await holder.refresh()).context?.credentials['refresh_token'], 'refresh-2')
  assert.equal((await takeover)?.context?.credentials['refresh_token'], 'refresh-2')
  assert.equal(requests, 1)
})

test('refresh lease: a late response reactivates an account that was expired over the same credentials', async (t) => {
  const s = await startRefreshableAccount(t)
  const slow = await startProcess(t, s)
  s.provider.token = async () => {
    await s.app.db.run(
      sql`update connected_accounts set status = 'EXPIRED', status_reason = 'rejected',
          refresh_lease = null, refresh_lease_until = null`,
    )
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  await slow.refresh()
  const { status, status_reason } = await s.accountRow(s.id)
  assert.deepEqual(
    [status, status_reason, (await s.storedCredentials())['refresh_token']],
    ['ACTIVE', null, 'refresh-2'],
  )
})

test('refresh lease: a response is stored after the database was unavailable', async (t) => {
  const s = await startRefreshableAccount(t)
  let failures = 0
  const { refresh } = await startProcess(t, s, {
    beforeStore() {
      if (++failures <= 3) throw new DatabaseUnavailable(new Error('gone'))
    },
  })
  await refresh()
  assert.deepEqual(
    [failures, (await s.storedCredentials())['refresh_token'], s.tokenRequests().length],
    [4, 'refresh-2', 1],
  )
})

test('refresh lease: a hundred callers that wait for another process share their database queries', async (t) => {
  const s = await startRefreshableAccount(t)
  await s.app.db.run(CLAIM_FOR_OTHER_PROCESS)
  let looks = 0
  const { refresh, account } = await startProcess(t, s, {
    beforeClaim() {
      if (++looks === 6)
        void s.storeFromOtherProcess({ access_token: 'access-9', refresh_token: 'refresh-9' })
    },
  })
  const known = await account()
  const renewed = await Promise.all(Array.from({ length: 100 }, () => refresh(known)))
  assert.deepEqual(
    [
      new Set(renewed.map(({ context: setup }) => setup?.credentials['access_token'])),
      s.tokenRequests().length,
    ],
    [new Set(['access-9']), 0],
  )
  assert.ok(looks <= 8, `${looks} looks`)
})

test('refresh lease: fifty callers in two processes send one token request for each of twenty expiries', async (t) => {
  const s = await startRefreshableAccount(t, { refresh: { rotates: 'always' } }, { expires_in: 1 })
  const processes = [await startProcess(t, s), await startProcess(t, s)]
  let live = 'refresh-1'
  let n = 1
  s.provider.token = (request) => {
    assert.equal(form(request)['refresh_token'], live)
    live = `refresh-${++n}`
    return { json: { access_token: `access-${n}`, refresh_token: live, expires_in: 1 } }
  }
  for (let expiry = 1; expiry <= 20; expiry++) {
    s.clock.advance(1_000)
    const known = await processes[0]?.account()
    const renewed = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => processes[i % 2]?.refresh(known)),
    )
    assert.deepEqual(
      new Set(renewed.map((account) => account?.context?.credentials['access_token'])),
      new Set([`access-${n}`]),
    )
    assert.equal(s.tokenRequests().length, expiry)
  }
})

test('refresh lease: a waiting process continues to wait after another has stored only the first part', async (t) => {
  const s = await startRefreshableAccount(t, (url) => ({
    refresh: {
      rotates: 'always',
      steps: [{ url: `${url}/more/session`, params: { token: '{access_token}' } }],
    },
  }))
  let looks = 0
  const [first, second] = [
    await startProcess(t, s),
    await startProcess(t, s, { beforeClaim: () => void looks++ }),
  ]
  const known = await second.account()
  const until = async (count: number) => {
    while (looks < count) await new Promise(setImmediate)
  }
  let waiting: Promise<EngineAccount> | undefined
  s.provider.token = async () => {
    waiting = second.refresh(known)
    await until(2)
    return { json: { access_token: 'first-2', refresh_token: 'refresh-2' } }
  }
  s.provider.more = async () => {
    await until(looks + 3)
    return { json: { access_token: 'session-1', expires_in: 3600 } }
  }
  await first.refresh()
  assert.deepEqual(
    [(await waiting)?.context?.credentials['access_token'], s.tokenRequests().length],
    ['session-1', 1],
  )
})

test('refresh lease: after a kill between two requests, the next one uses the stored refresh token', async (t) => {
  const s = await startRefreshableAccount(t, (url) => ({
    refresh: {
      rotates: 'always',
      steps: [{ url: `${url}/more/session`, params: { token: '{access_token}' } }],
    },
  }))
  const [dead, next] = [await startProcess(t, s), await startProcess(t, s)]
  let steps = 0
  s.provider.token = (request) => ({
    json: {
      access_token: 'a',
      refresh_token: form(request)['refresh_token'] === 'refresh-1' ? 'refresh-2' : 'refresh-3',
    },
  })
  s.provider.more = async () => {
    if (++steps > 1) return { json: { access_token: 'session-2', expires_in: 3600 } }
    // Its lease passes as that of a dead process does, and it comes back to life too late.
    await s.app.db.run(END_LEASE)
    assert.equal((await next.refresh()).context?.credentials['access_token'], 'session-2')
    return { json: { access_token: 'session-1' } }
  }
  assert.equal((await dead.refresh()).context?.credentials['access_token'], 'session-2')
  assert.deepEqual(
    [
      (await s.storedCredentials())['refresh_token'],
      (await s.storedCredentials())['access_token'],
      s.tokenRequests().map((request) => form(request)['refresh_token']),
    ],
    ['refresh-3', 'session-2', ['refresh-1', 'refresh-2']],
  )
})
