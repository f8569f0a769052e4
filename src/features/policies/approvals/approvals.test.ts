import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removePolicies } from '#fixtures/policies.ts'
import fc from 'fast-check'
import { sampleTool } from '#fixtures/sample-toolkits.ts'
import * as approvals from '../../../contract/policies/index.ts'
import { createCustomMcpServer } from '../../../contract/mcp-servers/index.ts'
import * as policies from '../../../contract/policies/index.ts'
import {
  createSession,
  deleteSession,
  executeInSession,
  executeMeta,
  proxyInSession,
} from '../../../contract/sessions/index.ts'

import { proxyExecute } from '../../../contract/tools/index.ts'
import { createWebhook } from '../../../contract/webhooks/index.ts'
import { sql } from '../../../platform/db/sql.ts'
import { API_KEY, startConnectedAccountsApp } from '#fixtures/connected-accounts.ts'
import { removeOrphanedGrants } from './store.ts'
import { signature } from '../../../platform/webhook-signature.ts'

const TOOLS = [
  sampleTool(),
  sampleTool({
    slug: 'SHOP_REFUND',
    effect: 'create',
    request: { method: 'POST', path: '/refunds/{id}', query: { amount: '{amount}' } },
    input: {
      type: 'object',
      properties: { id: { type: 'string' }, amount: { type: 'integer', default: 5 } },
      required: ['id'],
    },
  }),
  sampleTool({ slug: 'SHOP_DROP', effect: 'delete', request: { method: 'DELETE', path: '/orders/{id}' } }),
]

test('approvals: policies, approvals and session permissions over HTTP', async (t) => {
  const s = await startConnectedAccountsApp(t, {
    auth: [{ ...API_KEY, validate: undefined }],
    tools: TOOLS,
    answer: ({ path }) => ({ json: { id: path.split('/').at(-1) } }),
  })
  const {
    call,
    callTool: run,
    stub,
    app: { db, http },
    keys,
  } = s
  const account = await s.addAccount(await s.addAuthConfig('API_KEY'), 'API_KEY', {
    generic_api_key: 'key-12345',
  })
  const server = (await call(createCustomMcpServer, { body: { name: 'Shop helper', toolkits: ['shop'] } }))
    .body.id
  const foreign = await s.otherProject()
  const policy = async (draft: policies.PolicyDraft) => {
    const { status, body } = await call(policies.createPolicy, { body: draft })
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  const refund = (more: Record<string, unknown> = {}, body: Record<string, unknown> = {}) =>
    run({ arguments: { id: '7', amount: 500, ...more }, ...body }, 'SHOP_REFUND')
  const proxy = (method: 'GET' | 'DELETE', endpoint: string) =>
    call(proxyExecute, { body: { connected_account_id: account, user_id: 'u1', endpoint, method } })
  const overMcp = async (name: string, args: object) =>
    (
      await http.inject({
        method: 'POST',
        url: `/v3/mcp/${server}?user_id=u1`,
        headers: {
          'x-api-key': keys.projectApiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      })
    ).json().result
  const sentDuring = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const before = stub.requests.length
    return [await work(), stub.requests.length - before]
  }
  const asked = async (held: ReturnType<typeof refund>): Promise<Record<string, any>> => {
    const { status, body } = await held
    assert.deepEqual(
      [status, body.successful, body.error],
      [200, false, 'Approval required'],
      JSON.stringify(body),
    )
    return (body.data as { approval: Record<string, any> }).approval
  }
  const decide = (
    id: string,
    route: typeof approvals.approveCall | typeof approvals.denyCall = approvals.approveCall,
  ) => call(route as typeof approvals.approveCall, { params: { approval_id: id }, body: {} })

  await t.test(
    'policies: are created, read, updated and deleted, and invalid conditions are rejected',
    async () => {
      assert.deepEqual(
        [(await refund()).body.successful, (await proxy('DELETE', '/orders/1')).body.status],
        [true, 200],
        'without policies everything runs',
      )
      const made = await policy({ name: 'Drops', outcome: 'deny', when: { hints: ['destructiveHint'] } })
      assert.deepEqual(
        [made.enabled, made.fallback, made.covers_proxy, made.approval_seconds, made.when],
        [true, false, true, 600, { hints: ['destructiveHint'] }],
      )
      assert.deepEqual(
        (await call(policies.listPolicies, {})).body.items.map(({ id }) => id),
        [made.id],
      )
      const params = { policy_id: made.id }
      const changed = await call(policies.updatePolicy, {
        params,
        body: { enabled: false, message: 'Never.' },
      })
      assert.deepEqual(
        [changed.body.enabled, changed.body.message, changed.body.when],
        [false, 'Never.', made.when],
      )
      assert.equal((await run({}, 'SHOP_DROP')).body.successful, true, 'a disabled policy says nothing')
      for (const route of [policies.readPolicy, policies.updatePolicy, policies.deletePolicy])
        assert.deepEqual(
          [
            (await foreign(route as typeof policies.readPolicy, { params })).status,
            (await call(route as typeof policies.readPolicy, { params: { policy_id: 'pol_none' } })).status,
          ],
          [404, 404],
        )
      assert.equal((await call(policies.deletePolicy, { params })).status, 200)
      for (const when of [
        { arguments: [{ path: 'a b', exists: true }] },
        { arguments: [{ path: 'a' }] },
        { hints: ['important'] },
        { tool: ['SHOP_DROP'] },
        { arguments: [{ path: 'a', abov: 1 }] },
        { tools: [] },
      ]) {
        assert.equal(
          (await call(policies.createPolicy, { body: { name: 'x', outcome: 'deny', when: when as never } }))
            .status,
          400,
          JSON.stringify(when),
        )
      }
    },
  )

  await t.test('policies: a denied call is not sent, through execute, proxy, dry run or MCP', async () => {
    const { id } = await policy({
      name: 'No drops',
      outcome: 'deny',
      when: { tools: ['SHOP_DROP'] },
      message: 'Orders stay.',
    })
    const [replies, sent] = await sentDuring(async () => [
      await run({}, 'SHOP_DROP'),
      await run({ response: { dry_run: true } }, 'SHOP_DROP'),
      await proxy('DELETE', '/orders/7'),
      await proxy('GET', '/orders/7'),
    ])
    assert.deepEqual(
      replies.map(({ status, body }) => [
        status,
        (body as never as { error: { slug: string; message: string } }).error.slug,
      ]),
      Array(4).fill([403, 'ActionExecute_PolicyRefused']),
    )
    assert.match(
      (replies[0]!.body as never as { error: { message: string } }).error.message,
      /SHOP_DROP: Orders stay\./,
    )
    const [told, sentOver] = await sentDuring(() => overMcp('SHOP_DROP', { id: '7' }))
    assert.deepEqual(
      [told.isError, /Orders stay/.test(told.content[0].text), sent, sentOver],
      [true, true, 0, 0],
    )
    assert.deepEqual((await call(policies.checkPolicies, { body: { tool_slug: 'SHOP_DROP' } })).body, {
      outcome: 'deny',
      policies: [{ id, name: 'No drops', outcome: 'deny', fallback: false, certain: true }],
    })
    assert.equal(
      (await call(policies.checkPolicies, { body: { tool_slug: 'PROXY_EXECUTE', toolkit_slug: 'shop' } }))
        .body.policies[0]?.certain,
      false,
    )
    assert.equal((await run()).body.successful, true, 'others run')
    await call(policies.updatePolicy, { params: { policy_id: id }, body: { covers_proxy: false } })
    assert.equal((await proxy('GET', '/orders/7')).status, 200)
    const seen = (await call(approvals.listDecisions, {})).body
    assert.deepEqual(
      [
        seen.items.length,
        new Set(seen.items.map(({ event, policy_ids }) => `${event} ${policy_ids.join()}`)),
      ],
      [5, new Set([`refused ${id}`])],
    )
  })

  await t.test('policies: for random policies, no endpoint sends a call that is not allowed', async () => {
    await removePolicies(db)
    const session_id = (
      await call(createSession, {
        body: { user_id: 'u1', preload: { tools: ['SHOP_DROP', 'SHOP_GET_ORDER', 'SHOP_REFUND'] } },
      })
    ).body.session_id
    const rpc = async (url: string, name: string, args: object) =>
      http.inject({
        method: 'POST',
        url,
        headers: {
          'x-api-key': keys.projectApiKey,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      })
    const batch = (tool_slug: string, args: object) => ({
      tools: [{ tool_slug, arguments: args }],
      sync_response_to_workbench: false,
    })
    const doors: ((slug: string, args: Record<string, unknown>) => Promise<unknown>)[] = [
      (slug, args) => run({ arguments: args }, slug),
      (slug, args) => rpc(`/v3/mcp/${server}?user_id=u1`, slug, args),
      (slug, args) =>
        call(executeInSession, { params: { session_id }, body: { tool_slug: slug, arguments: args } }),
      (slug, args) =>
        call(executeMeta, {
          params: { session_id },
          body: { slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch(slug, args) },
        }),
      (slug, args) =>
        call(executeInSession, {
          params: { session_id },
          body: { tool_slug: 'SERVICE_MULTI_EXECUTE_TOOL', arguments: batch(slug, args) },
        }),
      (slug, args) => rpc(`/tool_router/${session_id}/mcp`, slug, args),
      (slug, args) => rpc(`/tool_router/${session_id}/mcp`, 'SERVICE_MULTI_EXECUTE_TOOL', batch(slug, args)),
    ]
    const rule = fc.record({
      outcome: fc.constantFrom('ask' as const, 'deny' as const, 'allow' as const),
      fallback: fc.boolean(),
      when: fc.record(
        {
          tools: fc.subarray(['SHOP_DROP', 'SHOP_REFUND', 'PROXY_EXECUTE'], { minLength: 1 }),
          hints: fc.subarray(['readOnlyHint', 'destructiveHint', 'createHint'] as const, { minLength: 1 }),
          user_ids: fc.constantFrom(['u1'], ['u2']),
          arguments: fc.constant([{ path: 'amount', above: 10 }]),
        },
        { requiredKeys: [] },
      ),
    })
    let [held, made] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('SHOP_DROP', 'SHOP_REFUND', 'SHOP_GET_ORDER'),
        fc.integer({ min: 5, max: 15 }),
        async (rules, slug, amount) => {
          await removePolicies(db)
          for (const one of rules) await policy({ name: 'any', ...one } as never)
          const args = { id: '7', ...(slug === 'SHOP_REFUND' ? { amount } : {}) }
          const { outcome } = (
            await call(policies.checkPolicies, {
              body: {
                tool_slug: slug,
                arguments: args,
                user_id: 'u1',
                connected_account_id: account,
                session_id,
              },
            })
          ).body
          for (const door of doors) {
            const [, sent] = await sentDuring(() => door(slug, args))
            assert.equal(sent, outcome === 'allow' ? 1 : 0, `${outcome} ${slug}`)
            if (outcome === 'allow') made++
            else held++
          }
        },
      ),
      { numRuns: 10, seed: 7 },
    )
    assert.ok(held >= doors.length && made >= doors.length, `${held} held, ${made} made`)
    await removePolicies(db)
    await db.run(sql`delete from approval_decisions`)
  })

  await t.test('approvals: a pending call runs once, after exactly this call was approved', async () => {
    await policy({
      name: 'Large refunds',
      outcome: 'ask',
      when: { tools: ['SHOP_REFUND'], arguments: [{ path: 'amount', above: 100 }] },
    })
    assert.equal((await refund({ amount: 100 })).body.successful, true)
    const [first, sent] = await sentDuring(() => asked(refund()))
    const again = await asked(refund())
    assert.deepEqual(
      [sent, again['id'], first['status'], first['choices'], first['arguments_preview'], first['reason']],
      [0, first['id'], 'pending', ['allow_once', 'deny'], { id: '7', amount: 500 }, 'Large refunds'],
    )
    assert.equal(
      (await run({ arguments: { id: '7', amount: 500 }, response: { dry_run: true } }, 'SHOP_REFUND')).body
        .successful,
      true,
    )
    const other = await asked(refund({ id: '8' }))
    const [approved, read] = [
      await decide(first['id']),
      (await call(approvals.readApproval, { params: { approval_id: first['id'] } })).body,
    ]
    assert.deepEqual(
      [approved.status, read.status, read.decided_by?.startsWith('key:'), read.arguments],
      [200, 'approved', true, { id: '7', amount: 500 }],
    )
    assert.notEqual((await asked(refund({ amount: 501 })))['id'], first['id'], 'other arguments')
    assert.notEqual(
      (
        await asked(
          refund(
            {},
            {
              user_id: undefined,
              connected_account_id: account,
              custom_connection_data: {
                authScheme: 'API_KEY',
                toolkitSlug: 'shop',
                val: { generic_api_key: 'other' },
              },
            },
          ),
        )
      )['id'],
      first['id'],
      'other credentials',
    )
    const [both, made] = await sentDuring(() => Promise.all([refund(), refund()]))
    assert.deepEqual(
      [both.filter(({ body }) => body.successful).length, made],
      [1, 1],
      'one of two at once used it',
    )
    const after = (await call(approvals.readApproval, { params: { approval_id: first['id'] } })).body
    assert.deepEqual(
      [after.status, after.arguments, after.used_log_id],
      ['used', null, both.find(({ body }) => body.successful)!.body.log_id],
    )
    assert.equal((await decide(first['id'])).body.error.slug, 'Approval_NotPending')
    assert.deepEqual((await decide(other['id'], approvals.denyCall)).body.status, 'denied')
    const denied = await refund({ id: '8' })
    assert.deepEqual([denied.body.error, denied.body.successful], ['Denied by user', false])
    const events = (
      await db.rows<{ type: string; approval: string; encrypted_payload: boolean }>(
        sql`select type, data->>'approval_id' as approval,
            encrypted_payload is not null as encrypted_payload from events
            where data->>'approval_id' in (${first['id']}, ${other['id']}) order by seq`,
      )
    ).map(({ type, encrypted_payload: encryptedPayload }) => `${type} ${encryptedPayload}`)
    assert.deepEqual(events, [
      'approval.requested true',
      'approval.requested true',
      'approval.decided false',
      'approval.decided false',
    ])
    assert.deepEqual(
      (await call(approvals.listDecisions, {})).body.items
        .filter(({ approval_id }) => approval_id === first['id'])
        .map(({ event }) => event),
      ['used', 'approved', 'requested'],
    )
  })

  await t.test('approvals: an expired, unknown or foreign approval cannot be decided or opened', async () => {
    const waits = await asked(refund({ id: 'late' }))
    for (const route of [
      approvals.readApproval,
      approvals.approveCall,
      approvals.denyCall,
      approvals.createApprovalLink,
    ]) {
      const [theirs, none] = [
        await foreign(route as typeof approvals.readApproval, { params: { approval_id: waits['id'] } }),
        await call(route as typeof approvals.readApproval, { params: { approval_id: 'apr_none' } }),
      ] as const
      assert.deepEqual([theirs.status, none.status], [404, 404])
    }
    await decide(waits['id'])
    await db.run(sql`update approvals set expires_at = now() where id = ${waits['id']}`)
    const next = await asked(refund({ id: 'late' }))
    assert.notEqual(next['id'], waits['id'])
    await db.run(sql`update approvals set expires_at = now() where id = ${next['id']}`)
    assert.equal((await decide(next['id'])).status, 409)
    assert.deepEqual(
      (await call(approvals.listApprovals, { query: { status: 'expired' } })).body.items
        .map(({ id }) => id)
        .sort(),
      [waits['id'], next['id']].sort(),
    )
  })

  await t.test(
    'approvals: the page shows the whole call, and accepts a decision only from the same browser',
    async () => {
      const waits = await asked(refund({ id: '<b>\u202e7' }))
      const page = await s.visit(waits['url'])
      const fields = (text: string) => ({
        form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '',
      })
      assert.deepEqual(
        [
          page.status,
          /&lt;b&gt;\\u\{202e\}7/.test(page.text),
          page.text.includes('Large refunds'),
          page.text.includes('500'),
          /name="decision" value="allow_session"/.test(page.text),
        ],
        [200, true, true, true, false],
      )
      assert.match(
        String(page.headers['content-security-policy']),
        /default-src 'none'.*frame-ancestors 'none'/,
      )
      for (const [form, status] of [
        [{ decision: 'allow_once' }, 403],
        [{ form_token: 'x', decision: 'allow_once' }, 403],
        [{ ...fields(page.text), decision: 'allow_session' }, 200],
        [{ ...fields(page.text), decision: 'allow_once' }, 200],
        [{ ...fields(page.text), decision: 'deny' }, 410],
      ] as const) {
        assert.equal((await s.visit(waits['url'], { form })).status, status, JSON.stringify(form))
      }
      assert.equal((await s.visit(waits['url'])).status, 410)
      assert.equal((await refund({ id: '<b>\u202e7' })).body.successful, true)
      for (const pass of ['x', `${String(waits['url']).split('/').at(-1)}A`, 'A'.repeat(250), '%00'])
        assert.ok([400, 404].includes((await s.visit(`http://localhost:3900/approve/${pass}`)).status), pass)
      await call(policies.updatePolicy, {
        params: {
          policy_id: (await call(policies.listPolicies, {})).body.items.find(
            ({ name }) => name === 'Large refunds',
          )!.id,
        },
        body: { approval_link: false },
      })
      const linkless = await asked(refund({ id: 'no-link' }))
      assert.equal(linkless['url'], undefined)
      const made = (await call(approvals.createApprovalLink, { params: { approval_id: linkless['id'] } }))
        .body.url
      const other = await s.visit(made)
      assert.equal(
        (await s.visit(made, { form: { ...fields(other.text), decision: 'deny' } })).text.includes('Denied'),
        true,
      )
      assert.equal((await refund({ id: 'no-link' })).body.error, 'Denied by user')
      await call(policies.updatePolicy, {
        params: {
          policy_id: (await call(policies.listPolicies, {})).body.items.find(
            ({ name }) => name === 'Large refunds',
          )!.id,
        },
        body: { approval_link: true },
      })
    },
  )

  await t.test('approvals: a webhook receiver decides with a signed message', async () => {
    const { secret, id: subscription } = (
      await call(createWebhook, {
        body: {
          webhook_url: 'https://hooks.example.com/approvals',
          enabled_events: ['service.approval.requested'],
        },
      })
    ).body
    const deaf = (
      await call(createWebhook, {
        body: {
          webhook_url: 'https://hooks.example.com/other',
          enabled_events: ['service.approval.decided'],
        },
      })
    ).body.secret
    const theirs = (
      await foreign(createWebhook, {
        body: {
          webhook_url: 'https://hooks.example.com/approvals',
          enabled_events: ['service.approval.requested'],
        },
      })
    ).body.secret
    const waits = await asked(refund({ id: 'signed' }))
    const now = Math.floor(s.clock.now() / 1_000)
    const answer = async (
      body: object | string,
      { key = secret, at = now, id = 'msg_1', sign = true } = {},
    ) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const reply = await http.inject({
        method: 'POST',
        url: '/api/v3.1/approvals/answer',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(at),
          ...(sign ? { 'webhook-signature': signature([key], id, at, text) } : {}),
        },
        payload: text,
      })
      return [reply.statusCode, reply.json().error?.slug ?? reply.json().status]
    }
    const good = { approval_id: waits['id'], decision: 'allow_once' }
    for (const [body, how] of [
      [good, { key: deaf }],
      [good, { key: theirs }],
      [good, { at: now - 400 }],
      [good, { at: now + 400 }],
      [good, { sign: false }],
      [good, { id: '' }],
      [{ ...good, approval_id: 'apr_unknown' }, {}],
    ] as const) {
      assert.deepEqual(
        await answer(body, how),
        [401, 'Approval_SignatureRefused'],
        JSON.stringify([body, how]).slice(0, 120),
      )
    }
    for (const body of [
      '',
      '{',
      '[]',
      'null',
      { ...good, decision: 'yes' },
      { ...good, approval_id: { a: 1 } },
      { decision: 'deny' },
    ])
      assert.deepEqual(await answer(body), [400, 'HTTP_BadRequest'])
    assert.deepEqual(
      [await answer(good), await answer(good)],
      [
        [200, 'approved'],
        [409, 'Approval_NotPending'],
      ],
    )
    assert.equal(
      (await call(approvals.readApproval, { params: { approval_id: waits['id'] } })).body.decided_by,
      `webhook:${subscription}`,
    )
    assert.equal((await refund({ id: 'signed' })).body.successful, true)
  })

  await t.test(
    'approvals: session permissions ask once, ask always or deny, and a session grant is not asked again',
    async () => {
      const open = async (permissions: object) =>
        (await call(createSession, { body: { user_id: 'u1', experimental: { permissions } as never } })).body
          .session_id
      const inSession = (
        session_id: string,
        tool_slug: string,
        args: Record<string, unknown> = { id: '7' },
      ) => call(executeInSession, { params: { session_id }, body: { tool_slug, arguments: args } })
      const decideIn = (session_id: string, approval_id: string, decision: approvals.Choice, by = call) =>
        by(approvals.decideInSession, { params: { session_id, approval_id }, body: { decision } })
      const waits = async (reply: ReturnType<typeof inSession>) => {
        const { body } = await reply
        assert.equal(body.error, 'Approval required', JSON.stringify(body))
        return (body.data as { approval: Record<string, any> }).approval
      }
      const once = await open({
        default: 'ask_once_per_session',
        overrides: { [`SHOP_DROP:${account}`]: 'always_deny', [`SHOP_REFUND:${account}`]: 'ask_always' },
      })
      const other = await open({ default: 'ask_once_per_session' })
      const [first, sent] = await sentDuring(() => waits(inSession(once, 'SHOP_GET_ORDER')))
      assert.deepEqual(
        [first['choices'], first['policy_ids'], sent],
        [['allow_once', 'allow_session', 'deny'], undefined, 0],
      )
      for (const [session, id, by, status] of [
        [other, first['id'], call, 404],
        [once, 'apr_none', call, 404],
        [once, first['id'], foreign, 404],
        ['trs_none', first['id'], call, 404],
      ] as const)
        assert.equal((await decideIn(session, id, 'allow_once', by)).status, status)
      const [ran, made] = await sentDuring(() => decideIn(once, first['id'], 'allow_session'))
      assert.deepEqual(
        [ran.status, ran.body.error, ran.body.data, made],
        [200, null, { id: '7' }, 1],
        JSON.stringify(ran.body),
      )
      assert.equal(
        (await inSession(once, 'SHOP_GET_ORDER', { id: '8' })).body.error,
        null,
        'any arguments, for the session',
      )
      assert.equal((await waits(inSession(other, 'SHOP_GET_ORDER')))['status'], 'pending', 'not for another')
      const always = await waits(inSession(once, 'SHOP_REFUND'))
      assert.equal((await decideIn(once, always['id'], 'allow_session')).body.error, null)
      const refusal = await decideIn(once, (await waits(inSession(once, 'SHOP_REFUND')))['id'], 'deny')
      assert.deepEqual([refusal.status, refusal.body.error], [200, 'Denied by user'])
      const held = await sentDuring(async () => [
        await inSession(once, 'SHOP_DROP'),
        await call(proxyInSession, {
          params: { session_id: once },
          body: { toolkit_slug: 'shop', endpoint: '/orders/7', method: 'DELETE' },
        }),
        await call(proxyInSession, {
          params: { session_id: other },
          body: { toolkit_slug: 'shop', endpoint: '/orders/7', method: 'DELETE' },
        }),
      ])
      assert.deepEqual(
        [
          held[0].map(({ status, body }) => [
            status,
            (body as never as { error: { slug: string } }).error.slug,
          ]),
          held[1],
        ],
        [
          [
            [403, 'ActionExecute_PolicyRefused'],
            [403, 'ActionExecute_PolicyRefused'],
            [403, 'ActionExecute_ApprovalRequired'],
          ],
          0,
        ],
      )
      await removeOrphanedGrants(db)
      const granted = () =>
        db.one<{ n: number }>(sql`select count(*)::int as n from approval_grants where session_id = ${once}`)
      assert.equal((await granted())?.n, 2)
      const tagged = (
        await call(createSession, {
          body: {
            user_id: 'u1',
            tags: { disable: ['updateHint'], require_approval: ['destructiveHint'] },
            tools: { shop: { tags: { require_approval: ['createHint'] } } },
          } as never,
        })
      ).body
      assert.deepEqual(
        [tagged.config.tags, tagged.config.tools],
        [
          { disabled: ['updateHint'], require_approval: ['destructiveHint'] },
          { shop: { tags: { require_approval: ['createHint'] } } },
        ],
      )
      for (const slug of ['SHOP_DROP', 'SHOP_REFUND']) await waits(inSession(tagged.session_id, slug))
      assert.equal((await inSession(tagged.session_id, 'SHOP_GET_ORDER')).body.error, null)
      const { items } = (await call(approvals.listDecisions, { query: { limit: 100 } })).body
      assert.deepEqual(
        items
          .filter(({ session_id }) => session_id === once)
          .map(({ event }) => event)
          .reverse(),
        [
          'requested',
          'approved',
          'let_by_session',
          'let_by_session',
          'requested',
          'approved',
          'used',
          'requested',
          'denied',
          'refused',
          'refused',
        ],
      )
      await call(deleteSession, { params: { session_id: once } })
      await removeOrphanedGrants(db)
      assert.equal((await granted())?.n, 0)
    },
  )

  await t.test(
    'approvals: a pending call does not consume its idempotency key, and no log row contains the page URL',
    async () => {
      const send = () =>
        http.inject({
          method: 'POST',
          url: '/api/v3/tools/execute/SHOP_REFUND',
          headers: { 'x-api-key': keys.projectApiKey, 'idempotency-key': 'one' },
          payload: { user_id: 'u1', version: 'latest', arguments: { id: 'key', amount: 900 } },
        })
      const { approval } = (await send()).json().data
      await decide(approval.id)
      assert.equal((await send()).json().successful, true)
      const { payload } = (await db.one<{ payload: Buffer }>(
        sql`select payload from tool_executions where error = 'Approval required' order by created_at desc limit 1`,
      ))!
      const row = await db.one<{ id: string }>(
        sql`select id from tool_executions where error = 'Approval required' order by created_at desc limit 1`,
      )
      assert.ok(
        approval.url &&
          !JSON.stringify(s.encryptor.decrypt(payload, `tool_executions:${row!.id}:payload`)).includes(
            '/approve/',
          ),
      )
    },
  )
})
