import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Ignored, Quirk } from '../../../simulation/providers/quirk.ts'
import { QUIRKS } from '../../../simulation/providers/quirks/index.ts'
import { type Simulator, startSimulator } from '../../../simulation/providers/start.ts'
import { createEgress, type Egress, parseAllowRules } from '../../../src/platform/egress/index.ts'
import { live, type Manifest, REDIRECT_URI } from './driver.ts'

/** 41 mutual TLS and 42 SAML assertions: no manifest can say them. */
const ELSEWHERE = [41, 42]

let simulator: Simulator
let egress: Egress
before(async () => {
  simulator = await startSimulator({ redirectUri: REDIRECT_URI })
  egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
})
after(async () => {
  await egress.close()
  await simulator.close()
})

function manifestOf(quirk: Quirk): Manifest {
  const url = `${simulator.url}/${quirk.name}`
  return { auth: structuredClone(quirk.auth(url)), toolkit: structuredClone(quirk.toolkit?.(url) ?? {}) }
}

/** The manifest without one field, or with another value in its place. */
function ignoring(manifest: Manifest, { path, value, valueAt }: Ignored, url: string): Manifest {
  const names = path.split('.')
  const last = names.pop() as string
  const parent = names.reduce<Record<string, unknown>>(
    (at, name) => at[name] as Record<string, unknown>,
    manifest as unknown as Record<string, unknown>,
  )
  const replaced = valueAt ? valueAt(url) : value
  assert.ok(replaced !== undefined || Object.hasOwn(parent, last), `${path} is in the manifest`)
  if (replaced === undefined) delete parent[last]
  else parent[last] = replaced
  return manifest
}

for (const quirk of QUIRKS) {
  test(`${quirk.number} ${quirk.name}: ${quirk.title}`, async () => {
    const whole = live(quirk, manifestOf(quirk), simulator, egress)
    if (quirk.refusedAtStart)
      await assert.rejects(whole, { name: 'GrantRejected', message: quirk.refusedAtStart })
    else await whole
    for (const change of quirk.ignoring.map((one) => (typeof one === 'string' ? { path: one } : one))) {
      simulator.provider(quirk.name).memory.clear()
      simulator.provider(quirk.name).keys.restoreAll()
      const without = ignoring(manifestOf(quirk), change, `${simulator.url}/${quirk.name}`)
      const error = await live(quirk, without, simulator, egress).then(
        () => undefined,
        (reason: Error) => reason,
      )
      if (process.env['SIMULATOR_REASONS'])
        console.log(`${quirk.name} - ${change.path}: ${error?.name}: ${error?.message.slice(0, 160)}`)
      assert.ok(error, `${change.path} is ignored and nothing fails`)
      if (quirk.refusedAtStart)
        assert.doesNotMatch(error.name, /GrantRejected/, `${change.path}: nobody got as far as the provider`)
      assert.ok(
        !(error instanceof TypeError || error.message.includes('simulator_fault')),
        `${change.path}: ${error.stack}`,
      )
    }
  })
}

test('every quirk of the list is imitated, but for those that no manifest can meet', () => {
  const imitated = new Set(QUIRKS.map(({ number }) => number))
  assert.deepEqual(
    Array.from({ length: 78 }, (_, index) => index + 1).filter((number) => !imitated.has(number)),
    ELSEWHERE,
  )
  assert.equal(new Set(QUIRKS.map(({ name }) => name)).size, QUIRKS.length)
})
