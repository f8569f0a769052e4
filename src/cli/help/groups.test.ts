import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grouped } from '../program.ts'
import { GROUPS } from './groups.ts'

test('cli help: every group of commands has a description of its own', () => {
  assert.deepEqual([...grouped().keys()].toSorted(), Object.keys(GROUPS).toSorted())
})
