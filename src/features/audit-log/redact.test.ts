import assert from 'node:assert/strict'
import { test } from 'node:test'
import { objectFromOutline, unparsedMember } from '../../platform/json-outline/index.ts'
import { outlineRequest } from '../../platform/json-outline/request-outline.ts'
import { describeChange } from './redact.ts'

test('audit log: large values that a call forwarded are redacted without parsing them', () => {
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`/things${n}`, { get: {} }]))
  const bytes = Buffer.from(JSON.stringify({ slug: 'shop', other: { paths } }))
  const outline = outlineRequest(bytes)
  const body = objectFromOutline(bytes, outline.kind === 'object' ? outline.members : [])
  const { after } = describeChange(undefined, body)
  assert.deepEqual(after, { slug: 'shop', 'other.paths': '[redacted]' })
  assert.ok(unparsedMember(body['other'] as object, 'paths'))
})

test('audit log: of a new object at most 100 fields are read, and of a change all that differ', () => {
  let reads = 0
  const many = (value: number) =>
    Object.defineProperties(
      {},
      Object.fromEntries(
        Array.from({ length: 500 }, (_, n) => [
          `f${n}`,
          { enumerable: true, get: () => ++reads && (n === 450 ? value : n) },
        ]),
      ),
    ) as object
  assert.equal(Object.keys(describeChange(undefined, many(1)).after!).length, 100)
  assert.equal(reads, 100)
  assert.deepEqual(describeChange(many(1), many(2)), { before: { f450: 1 }, after: { f450: 2 } })
})
