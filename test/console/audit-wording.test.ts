import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/contract/index.ts'
import type { OperationSummary } from '../../src/contract/operation-summary.ts'
import {
  ACTIONS,
  actionName,
  actionOptions,
  objectName,
  OBJECTS,
  words,
} from '../../src/console/pages/audit-log/wording.ts'
import { canBeAudited } from '../../src/platform/http/audit/audited-handler.ts'
import { objectTypeOf } from '../../src/platform/http/audit/audited-object.ts'

const audited = routes.filter(canBeAudited)
const operations = routes.map((route) => ({
  id: route.id,
  summary: route.summary,
  isAudited: canBeAudited(route),
})) as OperationSummary[]

test('audit log: every operation and every kind of object has a name in plain English', () => {
  assert.ok(audited.length > 100)
  for (const route of audited) {
    assert.match(actionName(route.id, operations), /^[A-Z][A-Za-z ,;()-]+$/, route.id)
    assert.ok(Object.hasOwn(OBJECTS, objectTypeOf(route)), `${objectTypeOf(route)} has no name`)
  }
})

test('audit log: a read is named after the secrets that it returns', () => {
  const reads = audited.filter(({ method, audit }) => method === 'GET' && typeof audit === 'string')
  assert.ok(reads.length > 5)
  for (const { id } of reads) assert.match(ACTIONS[id] ?? '', /^Read .*(secret|credentials|in clear)/, id)
})

test('audit log: what this release does not know is shown as words', () => {
  assert.equal(actionName('robotArms.moveUp', operations), 'Robot arms: move up')
  assert.equal(objectName('robot_arm'), 'Robot arm')
  assert.equal(words('Auth_Config_NotFound'), 'Auth config not found')
})

test('audit log: the filter offers each operation once, and no execution', () => {
  const values = actionOptions(operations).map(({ value }) => value)
  assert.equal(new Set(values).size, values.length)
  assert.deepEqual(
    ['sessions.update', 'console.signIn', 'tools.execute', 'tools.list'].map((id) => values.includes(id)),
    [true, true, false, false],
  )
})
