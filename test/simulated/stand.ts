import { fileURLToPath } from 'node:url'
import { type Catalog, loadCatalog } from '../../src/catalog/index.ts'
import { createTraffic, engine, type Execution } from '../../src/engine/index.ts'
import { type Exchanged, filesInMemory, simulatedConnection, simulatedEgress, type World, worldOf } from '../../src/simulated/index.ts'

const FOLDER = fileURLToPath(new URL('../../toolkits', import.meta.url))

/** `sent`: the arguments as the engine had them, defaults included. */
export interface Ran { successful: boolean, error: string | null, data: Record<string, any>, sent: Record<string, unknown> }

export interface Stand {
  catalog: Catalog
  world: World
  /** What the last call exchanged with the simulation. */
  exchanged: Exchanged[]
  run(tool: string, args: Record<string, unknown>): Promise<Ran>
}

/** The engine over the simulated applications, without a server, a database or a network. */
export async function stand(): Promise<Stand> {
  const catalog = await loadCatalog({ folder: FOLDER })
  const world = worldOf(catalog, FOLDER)
  const exchanged: Exchanged[] = []
  const nobody = () => { throw new Error('no account is looked up here') }
  const clock = { now: () => Date.now() }
  const execute = engine({
    catalogOf: () => catalog, egress: simulatedEgress(world.answer, (one) => exchanged.push(one)), clock, traffic: createTraffic({ clock, wait: async () => {}, share() {} }), newLogId: () => 'log_1', record: async () => {},
    files: filesInMemory(),
    accounts: { byId: nobody, pick: nobody, renew: nobody, refused: nobody, accepted: nobody },
  })
  return {
    catalog, world, exchanged,
    async run(toolSlug, args) {
      const { toolkit } = catalog.tool(toolSlug, 'latest')!
      const manifests = toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest)
      const execution = {
        projectId: 'pr_1', settings: { storePayloads: false, checkOwner: false }, toolSlug, version: 'latest', arguments: structuredClone(args), customConnection: simulatedConnection(toolkit, manifests), requestId: 'r', source: null,
        signal: new AbortController().signal,
      } as unknown as Execution
      exchanged.length = 0
      const { data, error, successful } = await execute(execution)
      return { data: data as Record<string, any>, error, successful, sent: execution.arguments }
    },
  }
}
