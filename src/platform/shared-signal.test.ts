import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { followersOf, shareSignal } from './shared-signal.ts'

const follower = (name: string, aborted: string[]) => ({ position: -1, abort: () => void aborted.push(name) })

test('shared signal: it has one listener, and ends those that follow it then', () => {
  const controller = new AbortController()
  const followers = followersOf(shareSignal(controller.signal))!
  const aborted: string[] = []
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => follower(name, aborted)) as [
    ReturnType<typeof follower>,
    ReturnType<typeof follower>,
    ReturnType<typeof follower>,
    ReturnType<typeof follower>,
  ]
  for (const one of [a, b, c]) followers.add(one)
  followers.remove(a)
  followers.add(d)
  followers.remove(d)
  followers.remove(c)
  followers.add(a)
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1)
  controller.abort()
  assert.deepEqual(aborted.sort(), ['a', 'b'])
})

test('shared signal: a follower may leave while the others are ended', () => {
  const controller = new AbortController()
  const followers = followersOf(shareSignal(controller.signal))!
  const aborted: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const one = { position: -1, abort: () => (aborted.push(name), followers.remove(one)) }
    followers.add(one)
  }
  controller.abort()
  assert.deepEqual(aborted.sort(), ['a', 'b', 'c'])
})

test('shared signal: a signal that was not marked has no followers', () => {
  assert.equal(followersOf(new AbortController().signal), undefined)
})
