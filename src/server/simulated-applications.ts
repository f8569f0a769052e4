import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { SimulateApplications } from '../app/options.ts'
import { loadToolkit } from '../catalog/index.ts'
import { systemClock } from '../platform/clock.ts'

const TOOLKITS = fileURLToPath(new URL('../../toolkits', import.meta.url))

/**
 * Simulates applications in this process, without a network. Only tools that were written by hand are simulated:
 * reading all operations of a large application takes a second. The code is loaded with the first demo project.
 */
export const simulateApplications: SimulateApplications = async (slugs) => {
  const { Application, readNotes, simulatedEgress } = await import('../../simulation/applications/index.ts')
  const applications: InstanceType<typeof Application>[] = []
  for (const slug of slugs) {
    const catalog = await loadToolkit(join(TOOLKITS, slug), { operations: false })
    const [toolkit] = catalog.toolkits
    if (!toolkit) throw new Error(`The toolkit ${slug} is missing.`)
    const manifests = toolkit.tools.map((tool) => catalog.tool(tool.slug, 'latest')!.tool.manifest)
    const triggers = catalog.triggers(slug, 'latest').map(({ trigger }) => trigger.manifest)
    const options = { triggers, clock: () => systemClock.now() }
    applications.push(new Application(toolkit, manifests, readNotes(TOOLKITS, slug), options))
    await nextTurn()
  }
  return simulatedEgress((request) =>
    applications.find((application) => application.isAt(request.url))?.handle(request),
  )
}
