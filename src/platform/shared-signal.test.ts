import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { followersOf, shareSignal } from './shared-signal.ts'

const follower = (name: string, aborted: string[]) => ({ position: -1, abort: () => void aborted.push(name) })

test('shared signal: one listener aborts all followers that were not removed', () => {
  const controller = new AbortController()
  const followers = followersOf(shareSignal(controller.signal))!
  const aborted: string[] = []
  const [a, b] = [follower('a', aborted), follower('b', aborted)]
  const [c, d] = [follower('c', aborted), follower('d', aborted)]
  for (const one of [a, b, c]) followers.add(one)
  followers.remove(a)
  followers.add(d)
  followers.remove(d)
  followers.remove(c)
  followers.remove(c)
  followers.add(a)
  assert.equal(getEventListeners(controller.signal, 'abort').length, 1)
  controller.abort()
  assert.deepEqual(aborted.sort(), ['a', 'b'])
})

test('shared signal: a follower may leave while all are aborted', () => {
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
