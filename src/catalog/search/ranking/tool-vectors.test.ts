import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createToolVectors, packVector, requestVector } from './tool-vectors.ts'

const DIMENSIONS = 256

/** A vector of length 1 with values as a normal distribution has them, the same for the same seed. */
function vectorOf(seed: number, dimensions = DIMENSIONS): Float32Array {
  let state = seed * 2_654_435_761 + 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const values = Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5)
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0)

test('tool vectors: similarity from four bits a dimension is close to that of the whole vectors', () => {
  const rows = Array.from({ length: 20 }, (_, at) => vectorOf(at + 1))
  const vectors = createToolVectors(rows.length, DIMENSIONS)
  rows.forEach((row, tool) => vectors.set(tool, packVector(row)))
  for (const [at, row] of rows.entries()) {
    const request = requestVector(row)
    assert.ok(vectors.similarity(at, request) > 0.98)
    assert.ok(vectors.distance(at, request) < DIMENSIONS / 10, 'few signs differ')
    rows.forEach((other, tool) =>
      assert.ok(Math.abs(vectors.similarity(tool, request) - dot(row, other)) < 0.05),
    )
    const nearest = rows.map((_, tool) => vectors.distance(tool, request))
    assert.equal(nearest.indexOf(Math.min(...nearest)), at)
  }
})

test('tool vectors: a tool without a vector has none, and a vector of another model is left out', () => {
  const vectors = createToolVectors(3, DIMENSIONS)
  vectors.set(0, packVector(vectorOf(1)))
  vectors.set(1, packVector(vectorOf(1, DIMENSIONS * 2)))
  assert.deepEqual([0, 1, 2].map(vectors.has), [true, false, false])
  assert.equal(vectors.similarity(2, requestVector(vectorOf(1))), 0)
  vectors.set(0, packVector(vectorOf(2)))
  assert.ok(vectors.similarity(0, requestVector(vectorOf(2))) > 0.98, 'a vector can be replaced')
})

test('tool vectors: 125,000 tools with 768 dimensions take at most 65 MB', () => {
  const dimensions = 768
  const packed = packVector(vectorOf(1, dimensions))
  assert.equal(packed.byteLength, dimensions / 2)
  const before = process.memoryUsage().arrayBuffers
  const vectors = createToolVectors(125_000, dimensions)
  vectors.set(124_999, packed)
  assert.ok(process.memoryUsage().arrayBuffers - before <= 65e6)
  assert.ok(vectors.has(124_999))
})
