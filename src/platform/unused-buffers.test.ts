import assert from 'node:assert/strict'
import { PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { createBufferCollector, openBufferMemory } from './unused-buffers.ts'

const MEGABYTE = 1_024 * 1_024

/** A collector of memory whose size a test sets. */
function fakeCollector() {
  const state = { megabytes: 0, isMarking: false, collections: 0, isNoticeLate: false }
  const collect = createBufferCollector({
    bytes: () => state.megabytes * MEGABYTE,
    isMarking: () => state.isMarking,
    afterNotices(run) {
      if (state.isNoticeLate) state.isMarking = true
      run()
    },
    collect() {
      state.collections++
    },
  })
  /** Returns the number of collections at this size. */
  const collectionsAt = (megabytes: number): number => {
    Object.assign(state, { megabytes, collections: 0 })
    collect()
    return state.collections
  }
  return { state, collectionsAt }
}

test('unused buffers: they are freed when 16 MB are new, once if the bytes stay in use', () => {
  const { collectionsAt } = fakeCollector()
  assert.deepEqual([40, 50, 57, 57, 57].map(collectionsAt), [0, 0, 1, 0, 0])
  assert.deepEqual([30, 40, 47].map(collectionsAt), [0, 0, 1], 'again after they were freed')
})

test('unused buffers: they are not freed while V8 marks the heap, because that would end in one long step', () => {
  const { state, collectionsAt } = fakeCollector()
  assert.equal(collectionsAt(10), 0)
  state.isMarking = true
  assert.equal(collectionsAt(50), 0)
  state.isMarking = false
  assert.equal(collectionsAt(50), 1)
})

test('unused buffers: they are not freed when V8 started to mark in the same turn', () => {
  const { state, collectionsAt } = fakeCollector()
  assert.equal(collectionsAt(10), 0)
  state.isNoticeLate = true
  assert.equal(collectionsAt(50), 0)
  Object.assign(state, { isNoticeLate: false, isMarking: false })
  assert.equal(collectionsAt(50), 1)
})

test('unused buffers: a collection frees buffers of this process outside the heap', async () => {
  const memory = openBufferMemory()
  const allocate = (megabytes: number) =>
    Array.from({ length: megabytes }, () => Buffer.alloc(MEGABYTE)).reduce(
      (sum, { length }) => sum + length,
      0,
    )
  allocate(40)
  const before = memory.bytes()
  const isFreed = () => before - memory.bytes() >= 10 * MEGABYTE
  for (let round = 0; round < 100 && !isFreed(); round++) {
    memory.collect()
    await new Promise((resolve) => setImmediate(resolve))
    // V8 subtracts freed bytes when it creates a buffer.
    allocate(1)
  }
  assert.ok(isFreed(), `${before} bytes before, ${memory.bytes()} after`)
})

test('unused buffers: observers of collections are called before `afterNotices` calls its function', async () => {
  const memory = openBufferMemory()
  let collections = 0
  const observer = new PerformanceObserver((entries) => {
    collections += entries.getEntries().length
  })
  observer.observe({ entryTypes: ['gc'] })
  memory.collect()
  assert.equal(collections, 0, 'not in the same turn')
  await new Promise<void>((resolve) => memory.afterNotices(resolve))
  observer.disconnect()
  assert.ok(collections >= 1)
})
