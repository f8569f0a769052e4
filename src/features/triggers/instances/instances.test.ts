import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sampleTrigger } from '#fixtures/sample-toolkits.ts'
import {
  setConnectedAccountStatus,
  deleteConnectedAccount,
} from '../../../contract/connected-accounts/index.ts'
import { readNanoId } from '../../../contract/projects/index.ts'
import { setTriggerStatus, listTriggers, deleteTrigger } from '../../../contract/triggers/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startTriggerApp, setAccountStatus } from '#fixtures/triggers.ts'
import { CHOICE } from '#fixtures/trigger-config.ts'

test('trigger: one account and configuration has one instance, which a second request enables', async (t) => {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  s.orders.push({ id: 1 })
  const first = await s.upsert(
    { connected_account_id: account, trigger_config: { section: 'a' } },
    'shop_new_order',
  )
  assert.equal(first.status, 201)
  assert.match(first.body.trigger_id, /^ti_[A-Za-z0-9]{12}$/)
  const id = first.body.trigger_id
  for (const body of [
    { connectedAuthId: account, triggerConfig: { section: 'a' } },
    { user_id: 'u1', trigger_config: { status: 'any', section: 'a', interval: 15 } },
    {
      connected_account_id: account,
      connectedAuthId: 'ca_other',
      trigger_config: { section: 'a' },
      triggerConfig: { section: 'z' },
      toolkit_versions: 'latest',
    },
  ]) {
    const { status, body: again } = await s.upsert(body)
    assert.deepEqual([status, again.trigger_id], [200, id], JSON.stringify(body))
  }
  const pinned = await s.upsert({
    connected_account_id: account,
    trigger_config: { section: 'a' },
    version: '20260115_00',
  })
  assert.deepEqual([pinned.status, pinned.body.trigger_id], [200, id])
  const other = await s.upsert({ connected_account_id: account, trigger_config: { section: 'b' } })
  assert.equal(other.status, 201)
  await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'disable' } })
  const enabled = await s.upsert({ connected_account_id: account, trigger_config: { section: 'a' } })
  assert.deepEqual([enabled.status, (await s.listed()).length], [200, 2])
  const { body } = await s.call(readNanoId, {
    query: { uuid: first.body.deprecated?.uuid ?? '', type: 'TRIGGER_INSTANCE' },
  })
  assert.equal(body.nanoid, id)
  assert.deepEqual(await s.events(), [], 'items that exist when a trigger is created create no event')
})

async function startRejectingShop(t: TestContext) {
  const s = await startTriggerApp(t, {
    triggers: [sampleTrigger({ config: { type: 'object', properties: CHOICE } })],
  })
  const account = await s.connect()
  const other = await s.connect('u2')
  const rejection = async (body: Record<string, unknown>, slug?: string) => {
    const {
      status,
      body: { error },
    } = await s.upsert(body, slug)
    return [status, error.slug, error.message]
  }
  const with_ = (trigger_config: unknown) => ({ connected_account_id: account, trigger_config })
  return { other, with_, rejection, s, account }
}

test('trigger: a request that cannot work is rejected with an explanation, and stores nothing', async (t) => {
  const { other, with_, rejection, s, account } = await startRejectingShop(t)
  for (const [body, status, slug, message] of [
    [{}, 400, 'HTTP_BadRequest', /connected_account_id is required/],
    [
      { user_id: 'nobody' },
      422,
      'TriggerInstance_ConnectionNotUsable',
      /nobody has no active connected account of Shop/,
    ],
    [{ connected_account_id: 'ca_none' }, 404, 'ConnectedAccount_ResourceNotFound', /ca_none/],
    [
      { connected_account_id: other, user_id: 'u1' },
      400,
      'ActionExecute_ConnectedAccountEntityIdMismatch',
      /does not own/,
    ],
    [with_({ interval: 0.5 }), 400, 'TriggerInstance_PollingConfigInvalid', /from 1 to 1440/],
    [with_({ interval: '5' }), 400, 'TriggerInstance_PollingConfigInvalid', /a number of minutes/],
    [with_({ interval: 2000 }), 400, 'TriggerInstance_PollingConfigInvalid', /1440/],
    [with_({ status: 'ajar' }), 400, 'TriggerInstance_ConfigInvalid', /status: must be one of open, shut/],
    [with_({ colour: 'red' }), 400, 'TriggerInstance_ConfigInvalid', /colour: is not a known field/],
    [with_({ section: 'x'.repeat(30_000) }), 400, 'TriggerInstance_ConfigInvalid', /larger/],
    [
      { ...with_({}), toolkit_versions: { SHOP: '20200101_00' } },
      404,
      'TriggerType_NotFound',
      /in version 20200101_00/,
    ],
  ] as [Record<string, unknown>, number, string, RegExp][]) {
    const [gotStatus, gotSlug, gotMessage] = await rejection(body)
    assert.deepEqual([gotStatus, gotSlug], [status, slug], JSON.stringify(body).slice(0, 200))
    assert.match(gotMessage as string, message)
  }
  assert.equal((await rejection(with_({}), 'SHOP_NONE'))[0], 404)
  for (const [answer, status, slug] of [
    [{ status: 404, json: { message: 'no such section' } }, 422, 'TriggerInstance_ApplicationRefused'],
    [{ status: 401, json: { message: 'bad key secret-key-1' } }, 422, 'TriggerInstance_ConnectionNotUsable'],
    [{ status: 500, json: {} }, 503, 'ActionExecute_UpstreamUnavailable'],
    [{ status: 429, json: {}, headers: { 'retry-after': '600' } }, 503, 'ActionExecute_UpstreamUnavailable'],
  ] as const) {
    s.application.answer = () => answer
    const got = await rejection(with_({}))
    assert.deepEqual(got.slice(0, 2), [status, slug])
    assert.match(got[2] as string, /^Shop could not be polled for SHOP_NEW_ORDER/)
    assert.doesNotMatch(got[2] as string, /secret-key-1/)
  }
  await s.call(setConnectedAccountStatus, { params: { nanoid: account }, body: { enabled: false } })
  assert.deepEqual((await rejection(with_({}))).slice(0, 2), [422, 'TriggerInstance_ConnectionNotUsable'])
  assert.deepEqual(
    [await s.listed({ show_disabled: true }), await s.db.rows(sql`select 1 from trigger_polls`)],
    [[], []],
  )
})

async function createTwoInstances(t: TestContext) {
  const s = await startTriggerApp(t)
  const [mine, theirs] = [await s.connect('u1'), await s.connect('u2')]
  const [a, b] = [
    (await s.upsert({ connected_account_id: mine })).body.trigger_id,
    (await s.upsert({ connected_account_id: theirs })).body.trigger_id,
  ]
  await s.call(setTriggerStatus, { params: { trigger_id: b }, body: { status: 'disable' } })
  const [item] = await s.listed()
  return { item, a, mine, s, b, theirs }
}

type TwoInstances = Awaited<ReturnType<typeof createTwoInstances>>

test('triggers: listed by every filter, with the state of polling; disabled ones only on request', async (t) => {
  const created = await createTwoInstances(t)
  checkFields(created)
  await checkFilters(created)
  await checkOtherCallers(created)
})

function checkFields({ item, a, mine }: TwoInstances): void {
  assert.deepEqual(
    [
      item?.id,
      item?.connected_account_id,
      item?.connectedAccountId,
      item?.user_id,
      item?.trigger_name,
      item?.trigger_config,
      item?.version,
      item?.disabled_at,
      item?.disabledAt,
      item?.state.failures,
      item?.state.stalled,
      item?.trigger_data,
    ],
    [
      a,
      mine,
      mine,
      'u1',
      'SHOP_NEW_ORDER',
      { interval: 15, status: 'any' },
      '20260115_00',
      null,
      null,
      0,
      false,
      '',
    ],
  )
  assert.ok(Date.parse(item?.state.next_run ?? '') > Date.now())
}

async function checkFilters({ s, a, b, theirs, mine, item }: TwoInstances): Promise<void> {
  const ids = async (query: Record<string, unknown>) => (await s.listed(query)).map(({ id }) => id).sort()
  const both = [a, b].sort()
  for (const [query, found] of [
    [{ show_disabled: true }, both],
    [{ showDisabled: true, connectedAccountIds: [theirs] }, [b]],
    [{ connected_account_ids: [mine], show_disabled: true }, [a]],
    [{ auth_config_ids: [s.configId], show_disabled: true }, both],
    [{ authConfigIds: ['ac_none'] }, []],
    [{ trigger_ids: [b] }, []],
    [{ trigger_ids: [b], show_disabled: true }, [b]],
    [{ triggerIds: [a] }, [a]],
    [{ trigger_names: ['shop_new_order'] }, [a]],
    [{ triggerNames: ['SHOP_OTHER'] }, []],
    [{ user_ids: ['u2'], show_disabled: true }, [b]],
    [{ deprecatedConnectedAccountUuids: [item?.connected_account_uuid] }, [a]],
    [{ deprecatedAuthConfigUuids: ['x'] }, []],
    [{ show_disabled: true, limit: 1, page: 3 }, []],
  ] as [Record<string, unknown>, string[]][])
    assert.deepEqual(await ids(query), found, JSON.stringify(query))
}

async function checkOtherCallers({ s, a }: TwoInstances): Promise<void> {
  const newer = s.as({ 'x-api-key': s.keys.projectApiKey }, 'v3.1')
  assert.equal('triggerName' in ((await newer(listTriggers)).body.items[0] ?? {}), false)
  const stranger = await s.otherProject()
  assert.deepEqual((await stranger(listTriggers, { query: { show_disabled: true } })).body.items, [])
  for (const [route, request] of [
    [setTriggerStatus, { body: { status: 'disable' } }],
    [deleteTrigger, {}],
  ] as const) {
    const { status, body } = await stranger(
      route as typeof deleteTrigger,
      { params: { trigger_id: a }, ...request } as never,
    )
    assert.deepEqual(
      [status, (body as unknown as { error: { slug: string } }).error.slug],
      [404, 'TriggerInstance_NotFound'],
    )
  }
}

test('trigger: enabling twice succeeds, a deleted one is 410, one of a disabled account stays off', async (t) => {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const id = (await s.upsert({ connected_account_id: account })).body.trigger_id
  const set = async (status: 'enable' | 'disable') =>
    (await s.call(setTriggerStatus, { params: { trigger_id: id }, body: { status } })).status
  assert.deepEqual(
    [await set('enable'), await set('disable'), await set('disable'), (await s.poll(id))?.['next_run']],
    [200, 200, 200, null],
  )
  assert.deepEqual(
    (await s.listed({ show_disabled: true })).map(({ disabled_reason }) => disabled_reason),
    ['user'],
  )
  await s.call(setConnectedAccountStatus, { params: { nanoid: account }, body: { enabled: false } })
  assert.equal(await set('enable'), 422)
  await s.call(setConnectedAccountStatus, { params: { nanoid: account }, body: { enabled: true } })
  assert.deepEqual(
    (await s.listed({ show_disabled: true })).map(({ disabled_reason }) => disabled_reason),
    ['user'],
    'what a user disabled stays so',
  )
  assert.equal(await set('enable'), 200)
  assert.deepEqual(((await s.poll(id)) ?? {})['state'], null, 'the state is empty')
  assert.deepEqual(
    [(await s.call(deleteTrigger, { params: { trigger_id: id } })).body, await s.poll(id)],
    [{ trigger_id: id }, undefined],
  )
  assert.deepEqual(
    [(await s.call(deleteTrigger, { params: { trigger_id: id } })).status, await set('enable')],
    [410, 410],
  )
  assert.deepEqual(
    [(await s.upsert({ connected_account_id: account })).status, await s.events()],
    [201, []],
    'changes by the user publish no event',
  )
})

test('triggers: an expired account disables them with an event, an active enables, a deleted deletes', async (t) => {
  const s = await startTriggerApp(t)
  const account = await s.connect()
  const id = (await s.upsert({ connected_account_id: account })).body.trigger_id
  const to = (status: Parameters<typeof setAccountStatus>[2]) => setAccountStatus(s.db, account, status)
  await to('EXPIRED')
  const [row] = await s.listed({ show_disabled: true })
  const [event, ...more] = await s.events()
  assert.deepEqual(
    [row?.disabled_reason, event?.type, more.length, (await s.poll(id))?.['next_run']],
    ['connection_expired', 'trigger.disabled', 0, null],
  )
  assert.deepEqual(event?.data, {
    id,
    connected_account_id: account,
    trigger_name: 'SHOP_NEW_ORDER',
    user_id: 'u1',
    trigger_config: { interval: 15, status: 'any' },
    disabled_at: row?.disabled_at,
    disabled_reason: 'connection_expired',
  })
  const stateBefore = (await s.poll(id))?.['state']
  await to('ACTIVE')
  const again = await s.poll(id)
  assert.deepEqual(
    [(await s.listed()).length, again?.['state'], again?.['next_run'] <= new Date()],
    [1, stateBefore, true],
    'polling continues at once with the same state',
  )
  await to('REVOKED')
  assert.deepEqual(
    [(await s.listed({ show_disabled: true }))[0]?.disabled_reason, (await s.events()).length],
    ['connection_revoked', 1],
  )
  await to('ACTIVE')
  assert.deepEqual(
    (await s.logs()).map(({ kind, message }) => [kind, message]),
    [
      ['disabled', 'connection_expired'],
      ['enabled', 'connection_expired'],
      ['disabled', 'connection_revoked'],
      ['enabled', 'connection_revoked'],
    ],
  )
  await s.call(deleteConnectedAccount, { params: { nanoid: account } })
  assert.deepEqual(
    [
      await s.listed({ show_disabled: true }),
      await s.poll(id),
      (await s.call(deleteTrigger, { params: { trigger_id: id } })).status,
    ],
    [[], undefined, 410],
  )
})

test('upsert: a SHARED account can be used by the users of its access list, as in execute', async (t) => {
  const s = await startTriggerApp(t)
  const shared = await s.addAccount(
    s.configId,
    'API_KEY',
    { generic_api_key: 'secret-key-1' },
    {
      user_id: 'owner',
      experimental: { account_type: 'SHARED', acl_config_for_shared: { allowed_user_ids: ['ann'] } },
    },
  )
  const replies = await Promise.all(
    ['owner', 'ann', 'eve'].map((user_id) => s.upsert({ connected_account_id: shared, user_id })),
  )
  assert.deepEqual(
    replies.map(({ status, body }) => [status < 300, (body as { error?: { slug: string } }).error?.slug]),
    [
      [true, undefined],
      [true, undefined],
      [false, 'ActionExecute_SharedAccessDenied'],
    ],
  )
})
