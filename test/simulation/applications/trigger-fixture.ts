import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type ResolvedTrigger, loadCatalog } from '../../../src/catalog/index.ts'
import { worldOf } from '../../../simulation/applications/index.ts'
import { askAs, runWith } from './fixture.ts'
import { CAUSING_TOOLS } from './trigger-tools.ts'

const FOLDER = fileURLToPath(new URL('../../../toolkits', import.meta.url))
type Args = Record<string, unknown>

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

export function checkPayload({ trigger: { slug, payload } }: ResolvedTrigger, event: Args): void {
  const validate = ajv.compile(payload)
  assert.ok(validate(event), `${slug}: ${JSON.stringify(validate.errors?.[0])} in ${JSON.stringify(event)}`)
}

/** The triggers of the built-in toolkits over the simulated applications, with a clock that tests set. */
export async function createTriggerFixture() {
  const catalog = await loadCatalog({ folder: FOLDER, operations: false })
  const clock = { now: Date.UTC(2026, 5, 1) }
  const world = worldOf(catalog, FOLDER, { clock: () => clock.now })
  const run = runWith(catalog, world)
  const all = catalog.toolkits.flatMap(({ slug }) => catalog.triggers(slug, 'latest'))

  /** Causes the event of the trigger, by a tool where there is one; returns a word that the payload contains. */
  async function causeEvent(
    found: ResolvedTrigger,
    config: Args,
    endpoint: { to?: string; values?: Args } = {},
  ): Promise<string> {
    const { slug } = found.trigger
    const application = world.applications.get(found.toolkit.slug)!
    const [tool, args, shows = ''] = CAUSING_TOOLS[slug] ?? []
    clock.now += 60_000
    if (tool) {
      const { successful, error } = await run(tool, args!)
      assert.ok(successful, `${tool}: ${error}`)
    } else if (found.trigger.poll) assert.ok(application.happen(slug, config), slug)
    else assert.equal(application.webhooks.happen(slug, { config, ...endpoint }), 1, slug)
    clock.now += 60_000
    return shows
  }

  const openRequests = (found: ResolvedTrigger) => askAs(catalog, world, found, () => clock.now)
  return { world, clock, run, all, causeEvent, openRequests }
}
