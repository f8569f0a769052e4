import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfirmedCache } from './confirmed-cache.ts'

/** A cache with one value, whose confirmations the test ends. */
function startCache() {
  const confirmations: PromiseWithResolvers<boolean>[] = []
  const confirm = () => {
    const confirmation = Promise.withResolvers<boolean>()
    confirmations.push(confirmation)
    return confirmation.promise
  }
  const cache = new ConfirmedCache<{ name: string }>({ confirm, groupsMax: 10, ttlMs: 60_000 })
  const value = { name: 'a' }
  cache.prepareAdd()('group', 'key', value)
  return { cache, value, confirm, confirmations }
}

test('confirmed cache: a value is used after the confirmation of its read', async () => {
  const { cache, value, confirmations } = startCache()
  const found = cache.find('group', 'key')
  confirmations[0]!.resolve(true)
  assert.equal(await found, value)
  const unconfirmed = cache.find('group', 'key')
  confirmations[1]!.resolve(false)
  assert.equal(await unconfirmed, undefined)
})

test('confirmed cache: a read with a confirmation that was started before starts none', async () => {
  const { cache, value, confirm, confirmations } = startCache()
  const confirmed = confirm()
  const found = cache.find('group', 'key', confirmed)
  assert.equal(confirmations.length, 1)
  confirmations[0]!.resolve(true)
  assert.equal(await found, value)
  assert.equal(await cache.find('group', 'key', Promise.resolve(false)), undefined)
})

test('confirmed cache: a change that is reported before the confirmation ends is seen', async () => {
  const { cache, confirm, confirmations } = startCache()
  const confirmed = confirm()
  const add = cache.prepareAdd()
  const found = cache.find('group', 'key', confirmed)
  cache.forget('group')
  confirmations[0]!.resolve(true)
  assert.equal(await found, undefined)
  assert.equal(add('group', 'key', { name: 'b' }), false, 'it was read before the change')
  assert.equal(cache.find('group', 'key', confirmed), undefined)
})
