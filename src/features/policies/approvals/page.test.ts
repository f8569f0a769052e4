import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingApproval, startApprovalsApp } from '#fixtures/approvals.ts'
import { listAuditLog } from '../../../contract/audit-log.ts'
import * as contract from '../../../contract/policies/index.ts'
import { createSession, executeInSession, proxyInSession } from '../../../contract/sessions/index.ts'
import { proxyExecute } from '../../../contract/tools/index.ts'

const fields = (text: string) => ({
  form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '',
})

test('approval page: shows the whole call, and accepts a decision only from the same browser', async (t) => {
  const s = await startApprovalsApp(t)
  const { askForLargeRefunds, refund } = s
  await askForLargeRefunds({ approval_link: true })
  const pending = await pendingApproval(refund({ id: '<b>\u202e7' }))
  const page = await s.visit(pending['url'])
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
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
  for (const [form, status] of [
    [{ decision: 'allow_once' }, 403],
    [{ form_token: 'x', decision: 'allow_once' }, 403],
    [{ ...fields(page.text), decision: 'allow_session' }, 200],
    [{ ...fields(page.text), decision: 'allow_once' }, 200],
    [{ ...fields(page.text), decision: 'deny' }, 410],
  ] as const) {
    assert.equal((await s.visit(pending['url'], { form })).status, status, JSON.stringify(form))
  }
  assert.equal((await s.visit(pending['url'])).status, 410)
  assert.equal((await refund({ id: '<b>\u202e7' })).body.successful, true)
  for (const pass of ['x', `${String(pending['url']).split('/').at(-1)}A`, 'A'.repeat(250), '%00'])
    assert.ok([400, 404].includes((await s.visit(`http://localhost:3900/approve/${pass}`)).status), pass)
})

test('approval page: a link is created on request, and a person denies the call there', async (t) => {
  const s = await startApprovalsApp(t)
  const { askForLargeRefunds, call, refund } = s
  await askForLargeRefunds()
  const approval = await pendingApproval(refund({ id: 'no-link' }))
  const {
    body: { url },
  } = await call(contract.createApprovalLink, { params: { approval_id: approval['id'] } })
  const page = await s.visit(url)
  const decided = await s.visit(url, { form: { ...fields(page.text), decision: 'deny' } })
  assert.ok(decided.text.includes('Denied'))
  assert.equal((await refund({ id: 'no-link' })).body.error, 'Denied by user')
  const { items } = (await call(listAuditLog, { query: { object_id: approval['id'] } })).body
  assert.deepEqual(
    items.map(({ action, actor, after }) => [action, actor, after?.['decision']]),
    [
      ['approvals.deny', { type: 'user', id: 'link', name: null }, 'deny'],
      ['approvals.link', items[1]?.actor, undefined],
    ],
  )
})

test('approval page: speaks the language of ?lang= and keeps it, and its only script has a hash', async (t) => {
  const s = await startApprovalsApp(t)
  await s.askForLargeRefunds({ approval_link: true })
  const { url } = await pendingApproval(s.refund({ id: 'languages' }))
  const german = await s.visit(`${String(url)}?lang=de`)
  assert.match(german.text, /<html lang="de">/)
  assert.match(german.text, />Einmal erlauben</)
  assert.match(german.text, /Entscheiden bis/)
  assert.match(String(german.headers['set-cookie']), /patchbay_language=de; Path=\/; HttpOnly/)
  const later = await s.visit(`${String(url)}?lang=tlh`)
  assert.match(later.text, />Einmal erlauben</, 'the browser keeps the language')
  assert.doesNotMatch(String(later.headers['set-cookie']), /patchbay_language/)
  const english = await s.visit(`${String(url)}?lang=en`)
  assert.match(english.text, />Allow once</)
  assert.match(String(english.headers['content-security-policy']), /; script-src 'sha256-[^' ]+';/)
  assert.equal(english.text.match(/<script/g)?.length, 1)
})

test('approval page: shows headers masked, bodies in full and binary content as a digest', async (t) => {
  const s = await startApprovalsApp(t)
  const { account, call, policy } = s
  await policy({ name: 'Requests', outcome: 'ask', when: { tools: ['PROXY_EXECUTE'] }, approval_link: true })
  const pageOf = async (more: object) => {
    const body = {
      connected_account_id: account,
      user_id: 'u1',
      endpoint: '/orders',
      method: 'POST',
      ...more,
    }
    const { errors } = (await call(proxyExecute, { body: body as never })).body.error as { errors: string[] }
    return (await s.visit(errors.find((one) => one.startsWith('url: '))!.slice(5))).text
  }
  const withHeader = await pageOf({
    body: { total: 4711 },
    parameters: [{ name: 'x-access', type: 'header', value: 'header-secret-value-1234' }],
  })
  assert.deepEqual(
    [/4711/, /x-access/, /\*\*1234/, /header-secret/].map((pattern) => pattern.test(withHeader)),
    [true, true, true, false],
  )
  const content = await pageOf({ binary_body: { base64: 'aGVsbG8=', content_type: 'text/plain' } })
  assert.match(content, /2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824/)
  const atUrl = await call(proxyExecute, {
    body: {
      connected_account_id: account,
      user_id: 'u1',
      endpoint: '/orders',
      method: 'POST',
      binary_body: { url: 'https://files.example.com/changes-later' },
    } as never,
  })
  assert.equal(atUrl.status, 400)
  assert.match(
    atUrl.body.error.message,
    /binary_body\.url:? cannot be used in a request that needs an approval/,
  )
})

test('approval page: says what an approval for the session allows, and no request can be allowed for it', async (t) => {
  const s = await startApprovalsApp(t)
  const { call } = s
  const experimental = { permissions: { default: 'ask_once_per_session' } }
  const { body: session } = await call(createSession, { body: { user_id: 'u1', experimental } as never })
  const asked = await call(proxyInSession, {
    params: { session_id: session.session_id },
    body: { toolkit_slug: 'shop', endpoint: '/orders/7', method: 'DELETE' },
  })
  const { errors } = asked.body.error as { errors: string[] }
  const id = errors.find((one) => one.startsWith('approval_id: '))!.slice(13)
  const approval = (await call(contract.readApproval, { params: { approval_id: id } })).body
  assert.deepEqual([errors.length, approval.choices], [1, ['allow_once', 'deny']])
  const link = (await call(contract.createApprovalLink, { params: { approval_id: id } })).body.url
  assert.match((await s.visit(link)).text, /Allow once allows exactly this call/)
  assert.doesNotMatch((await s.visit(link)).text, /until the session ends/)
  const tool = await s.call(executeInSession, {
    params: { session_id: session.session_id },
    body: { tool_slug: 'SHOP_GET_ORDER', arguments: { id: '7' } },
  })
  const toolApproval = (tool.body.data as { approval: { id: string } }).approval
  const toolLink = (await call(contract.createApprovalLink, { params: { approval_id: toolApproval.id } }))
    .body.url
  assert.match(
    (await s.visit(toolLink)).text,
    /every later call of .* with any values, until the session ends/,
  )
})
