import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { Toolkit, Tools } from '../format/index.ts'
import { validateFormat } from './validate-format.ts'
import { SAMPLE_OAUTH, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

const validManifests = () =>
  [
    sampleToolkit({
      auth: [SAMPLE_OAUTH, { scheme: 'BASIC' }, { scheme: 'NO_AUTH' }],
      errors: [{ when: { status: [1] }, meaning: 'reauth' }],
    }),
    { tools: [sampleTool(), sampleTool()] },
  ] as const

/** Returns every property and item in a JSON value, as the object and key that have it. */
function locationsIn(
  value: unknown,
  out: [Record<string, unknown>, string][] = [],
): [Record<string, unknown>, string][] {
  if (value === null || typeof value !== 'object') return out
  for (const key of Object.keys(value)) {
    out.push([value as Record<string, unknown>, key])
    locationsIn((value as Record<string, unknown>)[key], out)
  }
  return out
}

const reasons = (file: 'toolkit' | 'tools', value: unknown): string[] => {
  const found: string[] = []
  validateFormat(file, value, { add: (path, reason) => found.push(`${path} ${reason}`) })
  return found
}

const CHANGED_VALUES = fc.oneof(
  fc.constantFrom<unknown>('', 'x', 'OAUTH2', 'GET', 0, -1, 1.5, 1e300, null, true, [], {}, [1], { a: 'b' }, [
    'a',
  ]),
  fc.constant({ __proto__: null }),
  fc.jsonValue(),
)

test('manifest format: the generated validator accepts exactly what the TypeBox format accepts', () => {
  // Without `discriminator`, Ajv checks a discriminated union as the `anyOf` that TypeBox writes.
  const ajv = new Ajv({ strict: false })
  const expected = [ajv.compile(Toolkit), ajv.compile(Tools)] as const
  fc.assert(
    fc.property(
      fc.nat(),
      CHANGED_VALUES,
      fc.constantFrom('replace', 'remove', 'add'),
      (at, value, change) => {
        for (const [index, manifest] of structuredClone(validManifests()).entries()) {
          const locations = locationsIn(manifest)
          const [parent, key] = locations[at % locations.length]!
          if (change === 'remove') delete parent[key]
          else parent[change === 'add' ? 'unknown_key' : key] = value
          const found = reasons(index === 0 ? 'toolkit' : 'tools', manifest)
          assert.equal(
            found.length === 0,
            expected[index]!(manifest),
            `${JSON.stringify(manifest)} ${found.join('; ')}`,
          )
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('manifest format: a reason states the place, what is wrong and what is accepted', () => {
  const tool = (more: Record<string, unknown>) => reasons('tools', { tools: [sampleTool(more)] })
  assert.deepEqual(tool({ effect: 'look' }), ['/tools/0/effect must be read, create, update, delete.'])
  assert.deepEqual(tool({ nam: 1 }), ['/tools/0 unknown key `nam`.'])
  assert.deepEqual(tool({ name: '' }), ['/tools/0/name must have at least 1 character.'])
  assert.deepEqual(tool({ description: undefined }), ['/tools/0 `description` is missing.'])
  assert.deepEqual(reasons('tools', { tools: [] }), ['/tools must have at least 1 item.'])
  assert.deepEqual(
    reasons('toolkit', sampleToolkit({ auth: [{ scheme: 'MAGIC' }] }))[0]?.slice(0, 30),
    '/auth/0 `scheme` must be one of'.slice(0, 30),
  )
})

test('manifest format: a union is explained by the branch whose type the value has', () => {
  const tool = (more: Record<string, unknown>) => reasons('tools', { tools: [sampleTool(more)] })
  assert.deepEqual(tool({ deprecated: 'yes' }), ['/tools/0/deprecated must be boolean, object.'])
  assert.deepEqual(tool({ deprecated: { replaced: 'X' } }), ['/tools/0/deprecated unknown key `replaced`.'])
})
