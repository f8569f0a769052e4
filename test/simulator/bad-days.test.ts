import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES } from '../../simulator/control.ts'
import { QUIRKS } from '../../simulator/quirks/index.ts'
import { startSimulator } from '../../simulator/start.ts'
import { createEgress, parseAllowRules } from '../../src/platform/egress/index.ts'
import { live, REDIRECT_URI } from './driver.ts'

/** `slow` takes the whole bound of a token request, which the tests of the requests hold with a shorter one. */
const ELSEWHERE = ['slow']
const quirk = QUIRKS.find(({ name }) => name === 'rotates')!

test('a token endpoint that fails in any way is told in words, and the next attempt connects', async (t) => {
  const simulator = await startSimulator({ redirectUri: REDIRECT_URI, quirks: [quirk] })
  const egress = createEgress({ allow: parseAllowRules('127.0.0.0/8') })
  t.after(() => Promise.all([simulator.close(), egress.close()]))
  const attempt = () => live(quirk, { auth: quirk.auth(`${simulator.url}/rotates`), toolkit: {} }, simulator, egress)
  for (const kind of Object.keys(FAILURES).filter((name) => !ELSEWHERE.includes(name))) {
    const told = await fetch(`${simulator.url}/_control/rotates`, { method: 'POST', body: new URLSearchParams({ fail: kind }) })
    assert.equal(told.status, 200)
    const startedAt = performance.now()
    const error = await attempt().then(() => undefined, (reason: Error) => reason)
    assert.deepEqual([kind, error?.name], [kind, kind === 'invalid_grant' ? 'GrantRefused' : 'ProviderTrouble'])
    assert.ok(performance.now() - startedAt < 5_000, `${kind} is no hang`)
    assert.ok((error?.message.length ?? 0) < 500, `${kind} is told shortly`)
    await attempt()
  }
})

test('a token endpoint on a private address is refused unless it is allowed', async (t) => {
  const simulator = await startSimulator({ redirectUri: REDIRECT_URI, quirks: [quirk] })
  const egress = createEgress({ allow: [] })
  t.after(() => Promise.all([simulator.close(), egress.close()]))
  await assert.rejects(live(quirk, { auth: quirk.auth(`${simulator.url}/rotates`), toolkit: {} }, simulator, egress), { name: 'ProviderTrouble' })
  assert.deepEqual(simulator.stats('rotates').tokenRequests, {})
})

test('the control address counts, and refuses what it does not know', async (t) => {
  const simulator = await startSimulator({ quirks: [quirk] })
  t.after(() => simulator.close())
  const post = async (path: string, params: Record<string, string>) => (await fetch(simulator.url + path, { method: 'POST', body: new URLSearchParams(params) })).status
  assert.deepEqual([await post('/_control/rotates', { fail: 'nonsense' }), await post('/_control/nobody', { fail: '500' })], [400, 404])
  const before = simulator.now()
  assert.equal(await post('/_control', { advance_seconds: '3600' }), 200)
  assert.ok(simulator.now() - before >= 3_600_000)
  const counted = await (await fetch(`${simulator.url}/_control/rotates`)).json() as { families: unknown[] }
  assert.deepEqual(counted.families, [])
})
