import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSchemaValidators, describeSchemaErrors } from './schema-validators.ts'

test('schema validators: each schema of one instance is checked with its own pattern', () => {
  const validatorFor = createSchemaValidators(true)
  const schemaOf = (pattern: string) => ({ type: 'object', properties: { id: { type: 'string', pattern } } })
  const digits = validatorFor(schemaOf('^[0-9]+$'))
  const letters = validatorFor(schemaOf('^[a-z]+$'))
  assert.deepEqual([digits({ id: '17' }), digits({ id: 'ab' })], [true, false])
  assert.deepEqual([letters({ id: 'ab' }), letters({ id: '17' })], [true, false])
  assert.deepEqual(describeSchemaErrors(letters), ['id: must match pattern "^[a-z]+$"'])
})

test('schema validators: a pattern that backtracks without bound matches nothing, in little time', () => {
  const validate = createSchemaValidators(true)({
    type: 'object',
    properties: { id: { type: 'string', pattern: '^(a|a)*$' } },
  })
  assert.equal(validate({ id: `${'a'.repeat(60)}!` }), false)
  assert.equal(validate({ id: 'a' }), false)
})
