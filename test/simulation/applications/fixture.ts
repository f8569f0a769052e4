import { fileURLToPath } from 'node:url'
import {
  type Catalog,
  type ResolvedTrigger,
  type JsonSchema,
  loadCatalog,
} from '../../../src/catalog/index.ts'
import {
  type EngineAccount,
  createThrottling,
  createEngine,
  type EngineDeps,
  type ToolCall,
  type SendTriggerRequest,
} from '../../../src/engine/index.ts'
import {
  type Exchanged,
  filesInMemory,
  simulatedConnection,
  simulatedEgress,
  type World,
  worldOf,
} from '../../../simulation/applications/index.ts'

const FOLDER = fileURLToPath(new URL('../../../toolkits', import.meta.url))

/** `sent`: the arguments as the engine had them, defaults included. */
export interface Ran {
  successful: boolean
  error: string | null
  data: Record<string, any>
  sent: Record<string, unknown>
}

export interface SimulationFixture {
  catalog: Catalog
  world: World
  /** What the last call exchanged with the simulation. */
  exchanged: Exchanged[]
  run(tool: string, args: Record<string, unknown>): Promise<Ran>
}

/** The engine over the simulated applications, without a server, a database or a network. */
export async function createFixture(): Promise<SimulationFixture> {
  const catalog = await loadCatalog({ folder: FOLDER, operations: false })
  const world = worldOf(catalog, FOLDER)
  const exchanged: Exchanged[] = []
  return { catalog, world, exchanged, run: runWith(catalog, world, exchanged) }
}

/** Runs tools in a world. */
export function runWith(
  catalog: Catalog,
  world: World,
  exchanged: Exchanged[] = [],
): SimulationFixture['run'] {
  const nobody = () => {
    throw new Error('no account is looked up here')
  }
  let sent: Record<string, unknown> = {}
  const { executeTool } = createEngine({
    ...depsOf(
      catalog,
      world,
      () => Date.now(),
      {
        findById: nobody,
        findForUser: nobody,
        refreshToken: nobody,
        recordRejection: nobody,
        clearRejections: nobody,
      },
      exchanged,
    ),
    policies: {
      async authorize(call) {
        sent = { ...call.arguments }
        return undefined
      },
      allowsFollowUp: async () => true,
    },
  })
  return async (toolSlug, args) => {
    const { toolkit } = catalog.tool(toolSlug, 'latest')!
    const execution = {
      projectId: 'pr_1',
      settings: { storePayloads: false, checkOwner: false },
      toolSlug,
      version: 'latest',
      arguments: structuredClone(args),
      customConnection: connectionTo(catalog, toolkit),
      requestId: 'r',
      source: null,
      signal: new AbortController().signal,
    } as unknown as ToolCall
    exchanged.length = 0
    sent = args
    const { data, error, successful } = await executeTool(execution)
    return { data: data as Record<string, any>, error, successful, sent }
  }
}

/** A configuration with what the trigger needs, as the examples of its schema say. */
export function configOf({ trigger: { config } }: ResolvedTrigger): Record<string, unknown> {
  const needed = (config['required'] ?? []) as string[]
  const properties = Object.entries((config['properties'] ?? {}) as Record<string, JsonSchema>).filter(
    ([name, schema]) => name !== 'interval' && (needed.includes(name) || schema['default'] !== undefined),
  )
  return Object.fromEntries(
    properties.map(([name, schema]) => [name, schema['default'] ?? (schema['examples'] as unknown[])[0]]),
  )
}

/** The way on which a trigger asks its application, with an account of the simulation. */
export async function askAs(
  catalog: Catalog,
  world: World,
  found: ResolvedTrigger,
  now: () => number,
): Promise<SendTriggerRequest> {
  const connection = connectionTo(catalog, found.toolkit)!
  const scheme = found.toolkit.schemes.find(({ mode }) => mode === connection.authScheme)!
  const account: EngineAccount = {
    id: 'ca_1',
    userId: 'ada',
    toolkit: found.toolkit.slug,
    status: 'ACTIVE',
    statusReason: null,
    shared: null,
    authConfigId: 'ac_1',
    authConfigEnabled: true,
    allowedTools: [],
    context: {
      scheme,
      credentials: connection.val,
      sharedCredentials: {},
      authConfigCredentials: {},
      redirectUri: '',
    },
    version: 1,
    tokenExpiresAt: null,
    authFailures: 0,
  }
  const accounts = {
    findById: async () => account,
    findForUser: async () => account,
    refreshToken: async () => account,
    recordRejection: async () => {},
    clearRejections: async () => {},
  }
  const { openTriggerRequests } = createEngine(depsOf(catalog, world, now, accounts, []))
  return openTriggerRequests({
    projectId: 'pr_1',
    accountId: 'ca_1',
    found,
    signal: new AbortController().signal,
    deadlineMs: 1e12,
  })
}

const connectionTo = (catalog: Catalog, toolkit: ResolvedTrigger['toolkit']) =>
  simulatedConnection(
    toolkit,
    toolkit.tools.map(({ slug }) => catalog.tool(slug, 'latest')!.tool.manifest),
  )

function depsOf(
  catalog: Catalog,
  world: World,
  now: () => number,
  accounts: EngineDeps['accounts'],
  exchanged: Exchanged[],
) {
  const clock = { now }
  return {
    catalogOf: () => catalog,
    egressOf: async () => simulatedEgress(world.answer, (one) => exchanged.push(one)),
    clock,
    throttling: createThrottling({ clock, wait: async () => {}, share() {} }),
    newLogId: () => 'log_1',
    writeLogRow: async () => {},
    files: filesInMemory(),
    accounts,
  }
}
