import { argumentReader, type ToolExecution, type ExecutionRow } from '../../../engine/index.ts'
import type { Clock, Wait } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { recipes } from '../recipes/index.ts'
import type { MetaTool, MetaTools, SessionCall, SessionScope } from '../index.ts'
import type { BatchLimits } from './batch/run-batch.ts'
import { type ConnectionDeps, manageConnections } from './connections/manage-connections.ts'
import { type Definition, DEFINITIONS, NOT_HERE } from './definitions.ts'
import { getSchemas } from './search/get-schemas.ts'
import { memory } from './memory/memory.ts'
import { multiExecute } from './batch/multi-execute.ts'
import type { KeepFile } from './batch/offload.ts'
import { getRecipe, upsertRecipe } from './recipe-tools.ts'
import { search } from './search/search-tools.ts'
import { metaTool } from './create-meta-tool.ts'
import { waitForConnections } from './connections/wait-for-connections.ts'

export interface MetaToolDeps extends Omit<ConnectionDeps, 'encryptor'> {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  wait: Wait
  record(row: ExecutionRow): Promise<void>
  /** A meta tool's slug as the wire spells it. */
  spell(slug: string): string
  /** The inside spelling of what may be a meta tool's slug. */
  neutral(slug: string): string
  /** Keeps an answer that is too large for a context. */
  keepFile(scope: SessionScope, name: string, bytes: Buffer): ReturnType<KeepFile>
  /** Default: those of the contract. */
  batchLimits?: BatchLimits
}

export interface OfSessions {
  /** By slug. Every door (REST, MCP) lists and runs these. */
  metaTools: MetaTools
  /** Runs a recipe of the user by its slug as a tool; undefined when there is none. */
  runOther(
    scope: SessionScope,
    slug: string,
    args: Record<string, unknown>,
    call: SessionCall,
  ): Promise<ToolExecution | undefined>
}

/** The tools of sessions themselves. */
export function metaTools(deps: MetaToolDeps): OfSessions {
  const read = argumentReader()
  const shared = { ...deps, memory: memory(deps), recipes: recipes({ ...deps, read }) }
  const slugs = new Set<string>([...Object.values(DEFINITIONS).map(({ slug }) => slug), ...NOT_HERE])
  const batch = {
    ...shared,
    limits: deps.batchLimits,
    isMeta: (slug: string) => slugs.has(deps.neutral(slug.toUpperCase())),
  }
  const make = (definition: Definition, run: MetaTool['run']) => metaTool(definition, read, run)
  const tools = [
    make(DEFINITIONS.search, (...call) => search(shared, ...call)),
    make(DEFINITIONS.schemas, (...call) => getSchemas(shared, ...call)),
    make(DEFINITIONS.batch, (...call) => multiExecute(batch, ...call)),
    make(DEFINITIONS.manage, (scope, args) => manageConnections(shared, scope, args)),
    make(DEFINITIONS.wait, (...call) => waitForConnections(shared, ...call)),
    make(DEFINITIONS.upsertRecipe, (scope, args) => upsertRecipe(shared, scope, args)),
    make(DEFINITIONS.getRecipe, (scope, args) => getRecipe(shared, scope, args)),
  ]
  return {
    metaTools: new Map(tools.map((tool) => [tool.slug, tool])),
    async runOther(scope, slug, args, call) {
      const recipe = await shared.recipes.find(scope, slug)
      return recipe && shared.recipes.run(scope, recipe, args, call)
    },
  }
}
