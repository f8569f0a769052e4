import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnyCase, Id, Slug, VersionText } from '../../../contract/common.ts'
import { routes } from '../../../contract/index.ts'
import { describePattern } from './describe-pattern.ts'

const describe = (schema: object) => describePattern(String((schema as { pattern?: unknown }).pattern))

test('patterns: an id, a slug, a version and a value in any letter case are described in words', () => {
  assert.equal(describe(Id('ac')), 'must be an id that starts with ac_')
  assert.equal(describe(Id('proj', 'pr')), 'must be an id that starts with proj_ or pr_')
  assert.equal(describe(Slug), 'must have only letters, digits, hyphens and underscores')
  assert.equal(describe(VersionText), 'must be latest or a version such as 20261121_00')
  assert.equal(
    describe(AnyCase(['ENABLED', 'S2S_OAUTH2'])),
    'must be one of ENABLED, S2S_OAUTH2, in any letter case',
  )
  assert.equal(describe({ pattern: '^x+$' }), undefined)
})

/** Patterns of a schema that have no words. `Url` has a text of its own. */
function undescribedPatterns(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { pattern } = schema as { pattern?: unknown }
  const isUndescribed =
    typeof pattern === 'string' && pattern !== '^https?://' && describePattern(pattern) === undefined
  return [...(isUndescribed ? [pattern] : []), ...Object.values(schema).flatMap(undescribedPatterns)]
}

test('patterns: no operation returns a regular expression as the reason of a rejected field', () => {
  const found = routes.flatMap((route) =>
    (['params', 'query', 'body', 'headers'] as const).flatMap((part) =>
      undescribedPatterns((route as unknown as Record<string, unknown>)[part]).map(
        (pattern) => `${route.id} ${part}: ${pattern}`,
      ),
    ),
  )
  assert.deepEqual(found, [])
})
