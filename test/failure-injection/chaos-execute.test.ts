import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaos } from '../../bench/chaos-execute/run.ts'

test('with a faulty application and a lost database, each call ends, each effect is logged', async (t) => {
  const { calls, answers, unanswered, cuts, reached, missing, leaks } = await chaos(t, {
    seconds: 4,
    callers: 24,
    cutEveryMs: 1_200,
    cutMs: 300,
  })
  t.diagnostic(`${calls} calls, database lost ${cuts} times, ${reached} effects, ${JSON.stringify(answers)}`)
  assert.deepEqual(
    { unanswered, missing, leaks },
    { unanswered: [], missing: [], leaks: { running: 0, waiting: 0, hung: 0 } },
  )
  assert.ok(cuts > 0 && reached > 0 && Object.keys(answers).length > 2, 'all of it happened')
})
