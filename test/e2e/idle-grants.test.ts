import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QUIRKS } from '../../simulation/providers/quirks/index.ts'
import { CLIENT, startSimulator } from '../../simulation/providers/start.ts'
import { catalogFromSources } from '../../src/catalog/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { simulatedSource } from '../simulation/providers/simulated-source.ts'
import { startConnection, visit } from './issuer.ts'
import { assertRejected, startPlatform } from './platform.ts'
import { simulated } from './scheme-providers.ts'

const DAYS = 100
/** Days between two runs of the job; a grant is renewed half-way to its end. */
const STEP_DAYS = 5

for (const [name, field] of [
  ['dies-idle', 'max_idle_seconds'],
  ['dies-old', 'max_age_seconds'],
] as const) {
  test(`${name}: the job keeps a grant alive that nobody uses, where the manifest says ${field}, and it dies where it does not`, async (t) => {
    const quirk = QUIRKS.find((one) => one.name === name)!
    const simulator = await startSimulator({ quirks: [quirk] })
    t.after(() => simulator.close())
    const url = `${simulator.url}/${name}`
    const { [field]: _field, ...refresh } = (quirk.auth(url) as { refresh: Record<string, unknown> }).refresh
    const platform = await startPlatform(t, {
      catalog: catalogFromSources([
        simulatedSource('kept', { auth: quirk.auth(url), toolkit: {} }, url),
        simulatedSource('forgotten', { auth: { ...quirk.auth(url), refresh }, toolkit: {} }, url),
      ]),
    })
    const connected = async (slug: string) => {
      const { id, redirectUrl } = await startConnection(
        platform,
        await platform.authConfig(slug, 'OAUTH2', { client_id: CLIENT.id, client_secret: CLIENT.secret }),
        'ada',
      )
      await visit(await simulated(simulator, quirk).consent((await visit(redirectUrl)).location, 'ada'))
      return id
    }
    /** Time at the provider, of the server, and of the rows, which are stamped by the database. */
    const pass = async (days: number) => {
      simulator.advance(days * 86_400_000)
      platform.clock.advance(days * 86_400_000)
      const ago = sql`make_interval(days => ${days})`
      await platform.app.db.run(
        sql`update connected_accounts set connected_at = connected_at - ${ago},
              refreshed_at = refreshed_at - ${ago}, refresh_attempted_at = refresh_attempted_at - ${ago}`,
      )
    }
    const [active, forgotten] = [await connected('kept'), await connected('forgotten')]
    for (let days = 0; days < DAYS; days += STEP_DAYS) {
      await pass(STEP_DAYS)
      for (const one of platform.app.schedules.filter(({ task }) => task === 'connectedAccounts.refreshIdle'))
        await one.run()
    }
    const run = (slug: string, id: string) =>
      platform.callTool(slug, {}, { user_id: 'ada', connected_account_id: id })
    assert.equal((await run('KEPT_ME', active)).body.data?.['login'], 'ada')
    assertRejected(await run('FORGOTTEN_ME', forgotten), 410, 1820, /EXPIRED/)
  })
}
