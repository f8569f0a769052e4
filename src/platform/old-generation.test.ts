import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clonedDatabase } from '#fixtures/clone.ts'
import { largeObject, shareInOldGeneration } from '#fixtures/old-generation.ts'
import { connect } from './db/pool.ts'
import { sql } from './db/sql.ts'
import { RequestDeadline } from './egress/request-deadline.ts'
import { createRequestTurns } from './http/turns/request-turns.ts'

// What a call leaves in the old generation of V8 stays in memory until V8 marks the whole heap, which delays all calls.

/** Of what the calls refer to. A little is left by the measurement itself. */
const SHARE_MAX = 0.1

function assertSmall(share: number): void {
  assert.ok(share < SHARE_MAX, `${(share * 100).toFixed(0)} % is in the old generation`)
}

test('statements and transactions leave neither their results nor their callers in the old generation', async (t) => {
  const db = connect(await clonedDatabase(t))
  t.after(() => db.close())
  const read = async () => {
    const caller = largeObject()
    const row = await db.one<{ text: string }>(sql`select repeat('x', 8000) as text`)
    return [caller, row]
  }
  assertSmall(await shareInOldGeneration(2, read))
  assertSmall(await shareInOldGeneration(1, () => db.begin(async () => largeObject())))
})

test('the deadline of a request leaves nothing of the request in the old generation', async () => {
  const share = await shareInOldGeneration(1, () => {
    const deadline = new RequestDeadline('example.com', 1_000, new AbortController().signal)
    const response = largeObject()
    deadline.follow({ stop: () => response })
    deadline.end()
  })
  assertSmall(share)
})

test('requests that have had their turns are not in the old generation', async () => {
  const turns = createRequestTurns({ perProject: 8, waitingMax: 8 })
  const { signal } = new AbortController()
  const running: { end(): void }[] = []
  // As under load: a request runs until others have started.
  const share = await shareInOldGeneration(4, async () => {
    for (let n = 0; n < 4; n++) {
      const turn = await turns.start('a', 'read', () => signal, 0)
      running.push(Object.assign(turn, { request: largeObject() }))
      if (running.length > 3) running.shift()!.end()
    }
  })
  assertSmall(share)
})
