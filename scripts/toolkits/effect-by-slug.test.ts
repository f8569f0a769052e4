import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectBySlug } from './effect.ts'

type Effect = ReturnType<typeof effectBySlug>
const effectOf = (name: string, method: string, path: string, effect: Effect) =>
  effectBySlug(effect, `SHOP_${name}`, 'shop', { method, path })

test('effect of a tool: the first verb of a GET decides, and a noun at its end is no verb', () => {
  assert.equal(effectOf('GET_AN_ISSUE', 'GET', '/issues/{id}', 'read'), 'read')
  assert.equal(effectOf('BALANCE_SHEET_REPORT', 'GET', '/reports/balance_sheet', 'read'), 'read')
  assert.equal(effectOf('GET_BULK_DELETE_JOB', 'GET', '/jobs/{id}', 'delete'), 'read')
  assert.equal(effectOf('RESOLVE_AN_ACCOUNT', 'GET', '/accounts/resolve/{name}', 'read'), 'read')
  assert.equal(effectOf('SAVE_CALENDAR_ENTRY', 'GET', '/calendars/{id}/save', 'read'), 'update')
  assert.equal(effectOf('DELETE_LIST', 'GET', '/lists/delete', 'delete'), 'delete')
})

test('effect of a tool: a POST deletes, updates or reads where its name says so', () => {
  assert.equal(effectOf('DELETE_BATCH', 'POST', '/files/delete_batch', 'create'), 'delete')
  assert.equal(effectOf('MEMBERS_REMOVE', 'POST', '/members/remove', 'create'), 'delete')
  assert.equal(effectOf('UNDO_SOFT_DELETE', 'POST', '/messages/undoSoftDelete', 'create'), 'update')
  assert.equal(effectOf('ARCHIVE_AN_ORDER', 'POST', '/orders/{id}/archive', 'create'), 'update')
  assert.equal(effectOf('LIST_CALLS', 'POST', '/v3/list-calls', 'create'), 'read')
  assert.equal(effectOf('GET_MEMBER_GROUPS', 'POST', '/me/microsoft.graph.getMemberGroups', 'create'), 'read')
  assert.equal(effectOf('CREATE_ORDER', 'POST', '/orders', 'create'), 'create')
})

test('effect of a tool: the end of the path of a batch says more than the verb of the name', () => {
  assert.equal(effectOf('POST_ORDERS_BATCH_READ', 'POST', '/orders/batch/read', 'create'), 'read')
  assert.equal(effectOf('CREATE_BATCH_OF_ORDERS', 'POST', '/orders/batch/read', 'create'), 'read')
  assert.equal(effectOf('BATCH_CREATE_HOOKS', 'POST', '/hooks/batch/update', 'create'), 'update')
  assert.equal(effectOf('ARCHIVE_A_BATCH', 'POST', '/orders/batch/archive', 'create'), 'delete')
  assert.equal(effectOf('CREATE_ORDERS', 'POST', '/orders/batch/create', 'create'), 'create')
  assert.equal(effectOf('GET_BY_FILTER', 'POST', '/sheets/{id}:getByDataFilter', 'create'), 'read')
  assert.equal(effectOf('CREATES_A_NEW_CHECK', 'POST', '/deployments/{id}/checks', 'create'), 'create')
})
