import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { manifestChecks } from './validate-format.ts'
import { Toolkit, Tools } from '../format/index.ts'
import { fits } from './quick-check.ts'
import { SAMPLE_OAUTH, sampleTool, sampleToolkit } from '#fixtures/sample-toolkits.ts'

const sound = () =>
  [
    sampleToolkit({
      auth: [SAMPLE_OAUTH, { scheme: 'BASIC' }, { scheme: 'NO_AUTH' }],
      errors: [{ when: { status: [1] }, meaning: 'reauth' }],
    }),
    { tools: [sampleTool(), sampleTool()] },
  ] as const

/** Every place in a JSON value, as the object and key that hold it. */
function placesIn(
  value: unknown,
  out: [Record<string, unknown>, string][] = [],
): [Record<string, unknown>, string][] {
  if (value === null || typeof value !== 'object') return out
  for (const key of Object.keys(value)) {
    out.push([value as Record<string, unknown>, key])
    placesIn((value as Record<string, unknown>)[key], out)
  }
  return out
}

test('sound manifests pass the quick check, so that a start never waits for Ajv', () => {
  const [toolkit, tools] = sound()
  assert.equal(fits(Toolkit, toolkit), true)
  assert.equal(fits(Tools, tools), true)
})

test('so do all that ship', () => {
  const folder = join(import.meta.dirname, '../../../../toolkits')
  const read = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const slugs = globSync('*/toolkit.json', { cwd: folder }).map((file) => file.split('/')[0] as string)
  assert.deepEqual(
    slugs.filter(
      (slug) => !fits(Toolkit, read(`${slug}/toolkit.json`)) || !fits(Tools, read(`${slug}/tools.json`)),
    ),
    [],
  )
})

test('what the quick check accepts, Ajv accepts too, for manifests spoilt at any place', () => {
  const checks = manifestChecks(true)
  const spoilt = fc.oneof(
    fc.constantFrom<unknown>(
      '',
      'x',
      'OAUTH2',
      'GET',
      0,
      -1,
      1.5,
      1e300,
      null,
      true,
      [],
      {},
      [1],
      { a: 'b' },
      { __proto__: null },
      ['a'],
    ),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.nat(), spoilt, fc.constantFrom('replace', 'remove', 'add'), (at, value, way) => {
      for (const [index, manifest] of structuredClone(sound()).entries()) {
        const places = placesIn(manifest)
        const [holder, key] = places[at % places.length]!
        if (way === 'remove') delete holder[key]
        else holder[way === 'add' ? 'unknown_key' : key] = value
        const quick = fits(index === 0 ? Toolkit : Tools, manifest)
        const ajv = checks[index === 0 ? 'toolkit' : 'tools'](manifest, { add() {} })
        assert.equal(quick && !ajv, false, JSON.stringify(manifest))
        assert.equal(ajv && !quick, false, `slow path for ${JSON.stringify(manifest)}`)
      }
    }),
    { numRuns: 1000 },
  )
})
