import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Account } from '../../engine/index.ts'
import { DatabaseUnavailable } from '../../platform/db/errors.ts'
import { type Pool, type Sql, sql } from '../../platform/db/sql.ts'
import { createEgress, parseAllowRules } from '../../platform/egress/index.ts'
import { createLog } from '../../platform/log.ts'
import type { AccountDeps, SharedAccountDeps } from './deps.ts'
import { openAccount } from './open.ts'
import { renewal } from './renewal.ts'
import { find } from './store.ts'
import { form } from '#fixtures/connected-accounts.ts'
import { renewable } from '#fixtures/token-refresh.ts'

type Staged = Awaited<ReturnType<typeof renewable>>
const OTHER = sql`update connected_accounts set refresh_lease = 'other', refresh_lease_until = now() + interval '1 minute'`
const OPENED = sql`update connected_accounts set refresh_lease_until = now() - interval '1 second'`

/** A renewal of its own, whose statements pass through `see`: a process beside the application of the test. */
async function process(t: TestContext, s: Staged, see: (query: Sql) => void = () => {}) {
  const db: Pool = {
    ...s.app.db,
    one: async (query) => {
      see(query)
      return s.app.db.one(query)
    },
    run: async (query) => {
      see(query)
      return s.app.db.run(query)
    },
  }
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => egress.close())
  const deps = {
    db,
    encryptor: s.seal,
    catalog: s.catalog,
    catalogOf: () => s.catalog,
    egress,
    clock: s.clock,
    log: createLog('silent'),
    exchanges: { add() {} },
  } as unknown as AccountDeps & SharedAccountDeps // What a renewal needs of them.
  const { project_id: projectId } = (await s.row(s.id)) as { project_id: string }
  const account = async () => openAccount(deps, (await find(s.app.db, projectId, s.id)) as never) as Account
  const renew = renewal(deps)
  return { renew: async (known?: Account) => renew(projectId, known ?? (await account())), account }
}

test('an answer that comes when the lease has passed to another process waits for it, and is kept when the other gets none', async (t) => {
  const s = await renewable(t)
  let stores = 0
  const slow = await process(t, s, ({ text }) => {
    if (!text.includes('stored as')) return
    // The other one meets trouble and gives the lease back: nobody has stored anything.
    if (++stores === 3)
      void s.app.db.run(sql`update connected_accounts set refresh_lease = null, refresh_lease_until = null`)
  })
  s.provider.token = async () => {
    await s.app.db.run(OTHER)
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  await slow.renew()
  assert.ok(stores >= 3)
  assert.equal((await s.opened())['refresh_token'], 'refresh-2')
})

test('an answer that comes when another process has stored a newer one is dropped, and the newer one used', async (t) => {
  const s = await renewable(t)
  const slow = await process(t, s, ({ text }) => {
    if (text.includes('stored as') && !done) {
      done = true
      void s.storeBehind({ access_token: 'access-9', refresh_token: 'refresh-9' })
    }
  })
  let done = false
  s.provider.token = async () => {
    await s.app.db.run(OTHER)
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  assert.equal((await slow.renew()).setup?.val['access_token'], 'access-9')
  assert.equal((await s.opened())['refresh_token'], 'refresh-9')
})

test('a refusal that comes when the lease has passed to another process kills nothing: the other one decides', async (t) => {
  const s = await renewable(t)
  const slow = await process(t, s)
  s.provider.token = async () => {
    await s.app.db.run(OTHER)
    setImmediate(() => {
      void s.storeBehind({ access_token: 'access-9', refresh_token: 'refresh-9' })
    })
    return { status: 400, json: { error: 'invalid_grant' } }
  }
  assert.equal((await slow.renew()).setup?.val['access_token'], 'access-9')
  assert.equal((await s.row(s.id))['status'], 'ACTIVE')
})

test('whoever takes over from a silent holder and is refused leaves it the time to store what it got', async (t) => {
  const s = await renewable(t)
  await s.app.db.run(OTHER)
  await s.app.db.run(OPENED)
  // The former holder lives after all. Its answer is stored as any late one: by the same statement, under its own lease.
  const former = await process(t, s)
  let asked = 0
  s.provider.token = async () => {
    if (++asked > 1) return { status: 400, json: { error: 'invalid_grant' } }
    await s.app.db.run(OPENED)
    void next.renew().then((account) => {
      taken = account
    })
    while (asked < 2) await new Promise(setImmediate)
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  let taken: Account | undefined
  const next = await process(t, s)
  assert.equal((await former.renew()).setup?.val['refresh_token'], 'refresh-2')
  while (!taken) await new Promise(setImmediate)
  assert.equal(taken.setup?.val['refresh_token'], 'refresh-2')
  assert.deepEqual(
    [(await s.row(s.id))['status'], (await s.row(s.id))['val_version'], (await s.row(s.id))['refresh_lease']],
    ['ACTIVE', 2, null],
  )
})

test('an account that was declared dead over the same credentials lives again when their renewal is answered after all', async (t) => {
  const s = await renewable(t)
  const slow = await process(t, s)
  s.provider.token = async () => {
    await s.app.db.run(
      sql`update connected_accounts set status = 'EXPIRED', status_reason = 'refused', refresh_lease = null, refresh_lease_until = null`,
    )
    return { json: { access_token: 'access-2', refresh_token: 'refresh-2' } }
  }
  await slow.renew()
  const { status, status_reason } = await s.row(s.id)
  assert.deepEqual(
    [status, status_reason, (await s.opened())['refresh_token']],
    ['ACTIVE', null, 'refresh-2'],
  )
})

test('a database that goes away between the answer and the write does not cost the answer', async (t) => {
  const s = await renewable(t)
  let failures = 0
  const { renew } = await process(t, s, ({ text }) => {
    if (text.includes('stored as') && ++failures <= 3) throw new DatabaseUnavailable(new Error('gone'))
  })
  await renew()
  assert.deepEqual([failures, (await s.opened())['refresh_token'], s.tokens().length], [4, 'refresh-2', 1])
})

test('a hundred callers that wait for another process ask the database as one', async (t) => {
  const s = await renewable(t)
  await s.app.db.run(OTHER)
  let looks = 0
  const { renew, account } = await process(t, s, ({ text }) => {
    if (text.includes('taken as') && ++looks === 6)
      void s.storeBehind({ access_token: 'access-9', refresh_token: 'refresh-9' })
  })
  const known = await account()
  const renewed = await Promise.all(Array.from({ length: 100 }, () => renew(known)))
  assert.deepEqual(
    [new Set(renewed.map(({ setup }) => setup?.val['access_token'])), s.tokens().length],
    [new Set(['access-9']), 0],
  )
  assert.ok(looks <= 8, `${looks} looks`)
})

test('1 s tokens that rotate, fifty callers at two processes, twenty expiries: one token request each, and no refresh token twice', async (t) => {
  const s = await renewable(t, { refresh: { rotates: 'always' } }, { expires_in: 1 })
  const processes = [await process(t, s), await process(t, s)]
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
      Array.from({ length: 50 }, async (_, i) => processes[i % 2]?.renew(known)),
    )
    assert.deepEqual(
      new Set(renewed.map((account) => account?.setup?.val['access_token'])),
      new Set([`access-${n}`]),
    )
    assert.equal(s.tokens().length, expiry)
  }
})

test('a process that waits for another one goes on waiting when that has stored only the first part of a renewal', async (t) => {
  const s = await renewable(t, (url) => ({
    refresh: {
      rotates: 'always',
      steps: [{ url: `${url}/more/session`, params: { token: '{access_token}' } }],
    },
  }))
  let looks = 0
  const [first, second] = [
    await process(t, s),
    await process(t, s, ({ text }) => {
      if (text.includes('taken as')) looks++
    }),
  ]
  const known = await second.account()
  const until = async (count: number) => {
    while (looks < count) await new Promise(setImmediate)
  }
  let waiting: Promise<Account> | undefined
  s.provider.token = async () => {
    waiting = second.renew(known)
    await until(2)
    return { json: { access_token: 'first-2', refresh_token: 'refresh-2' } }
  }
  s.provider.more = async () => {
    await until(looks + 3)
    return { json: { access_token: 'session-1', expires_in: 3600 } }
  }
  await first.renew()
  assert.deepEqual([(await waiting)?.setup?.val['access_token'], s.tokens().length], ['session-1', 1])
})

test('a holder that is killed after the first part is followed by another one, with the refresh token of that part', async (t) => {
  const s = await renewable(t, (url) => ({
    refresh: {
      rotates: 'always',
      steps: [{ url: `${url}/more/session`, params: { token: '{access_token}' } }],
    },
  }))
  const [dead, next] = [await process(t, s), await process(t, s)]
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
    await s.app.db.run(OPENED)
    assert.equal((await next.renew()).setup?.val['access_token'], 'session-2')
    return { json: { access_token: 'session-1' } }
  }
  assert.equal((await dead.renew()).setup?.val['access_token'], 'session-2')
  assert.deepEqual(
    [
      (await s.opened())['refresh_token'],
      (await s.opened())['access_token'],
      s.tokens().map((request) => form(request)['refresh_token']),
    ],
    ['refresh-3', 'session-2', ['refresh-1', 'refresh-2']],
  )
})
