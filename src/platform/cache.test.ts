import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCache } from './cache.ts'

test('cache: at most `max` entries stay, and the one that was not used for longest goes first', () => {
  const cache = createCache<string, number>({ max: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [1, undefined, 3, 2])
})

test('cache: an entry that is replaced counts once', () => {
  const cache = createCache<string, number>({ max: 2 })
  for (let value = 0; value < 10; value++) cache.set('a', value)
  cache.set('b', 1)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.size], [9, 1, 2])
})
