import { checkArguments, type ToolExecution, type ExecutionRow } from '../../../engine/index.ts'
import type { Clock, Wait } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { createRecipes, type RunPythonCell, type StoredContent } from '../recipes/index.ts'
import type { MetaTool, MetaTools } from './meta-tool.ts'
import type { ToolCallOptions, SessionScope } from '../scope/scope.ts'
import type { BatchLimits } from './batch/run-batch.ts'
import { type ConnectionToolDeps, manageConnections } from './connections/manage-connections.ts'
import type { MetaToolDefinition } from './definition.ts'
import { DEFINITIONS, SANDBOX_META_TOOLS } from './definitions.ts'
import { getSchemas } from './search/get-schemas.ts'
import { createMemory } from './memory/memory.ts'
import { multiExecute } from './batch/multi-execute.ts'
import type { StoreFile } from './batch/offload.ts'
import { getRecipe, upsertRecipe } from './recipe-tools.ts'
import type { RecentToolUses, SimilarityOfTools } from './search/search-context.ts'
import { searchTools } from './search/search-tools.ts'
import { createMetaTool } from './create-meta-tool.ts'
import {
  runBash,
  runPython,
  runRecipeCode,
  WORKBENCH_DEFINITIONS,
  type WorkbenchDeps,
} from '../workbench/index.ts'
import { waitForConnections } from './connections/wait-for-connections.ts'

export interface MetaToolDeps extends Omit<ConnectionToolDeps, 'encryptor'> {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  wait: Wait
  record(row: ExecutionRow): Promise<void>
  recentToolUses: RecentToolUses
  /** Default: searches use words only. */
  similarityTo?: SimilarityOfTools | undefined
  storedContent: StoredContent
  /** A meta tool's slug as the wire spells it. */
  toWireName(slug: string): string
  /** The inside spelling of what may be a meta tool's slug. */
  fromWireName(slug: string): string
  /** Keeps an answer that is too large for a context. */
  storeFile(scope: SessionScope, name: string, bytes: Buffer): ReturnType<StoreFile>
  /** Undefined: no code can be run on this server. */
  workbench?: Omit<WorkbenchDeps, 'isMeta'> | undefined
  /** Default: those of the contract. */
  batchLimits?: BatchLimits
}

export interface SessionMetaTools {
  /** By slug. Every door (REST, MCP) lists and runs these. */
  metaTools: MetaTools
  /** Runs a recipe of the user by its slug as a tool; undefined when there is none. */
  runRecipe(
    scope: SessionScope,
    slug: string,
    args: Record<string, unknown>,
    call: ToolCallOptions,
  ): Promise<ToolExecution | undefined>
}

/** The tools of sessions themselves. */
export function createMetaTools(deps: MetaToolDeps): SessionMetaTools {
  const read = checkArguments
  const slugs = new Set<string>([
    ...Object.values(DEFINITIONS).map(({ slug }) => slug),
    ...SANDBOX_META_TOOLS,
  ])
  const isMeta = (slug: string) => slugs.has(deps.fromWireName(slug.toUpperCase()))
  const workbench = deps.workbench && { ...deps.workbench, isMeta }
  const runPythonCode: RunPythonCell | undefined =
    workbench && ((...call) => runRecipeCode(workbench, ...call))
  const shared = {
    ...deps,
    memory: createMemory(deps),
    recipes: createRecipes({ ...deps, read, runPython: runPythonCode }),
  }
  const batch = { ...shared, limits: deps.batchLimits, isMeta }
  const make = (definition: MetaToolDefinition, run: MetaTool['run']) => createMetaTool(definition, read, run)
  const tools = [
    make(DEFINITIONS.search, (...call) => searchTools(shared, ...call)),
    make(DEFINITIONS.schemas, (...call) => getSchemas(shared, ...call)),
    make(DEFINITIONS.batch, (...call) => multiExecute(batch, ...call)),
    make(DEFINITIONS.manage, (scope, args) => manageConnections(shared, scope, args)),
    make(DEFINITIONS.wait, (...call) => waitForConnections(shared, ...call)),
    ...(workbench
      ? [
          make(WORKBENCH_DEFINITIONS.workbench, (...call) => runPython(workbench, ...call)),
          make(WORKBENCH_DEFINITIONS.bash, (...call) => runBash(workbench, ...call)),
        ]
      : []),
    make(DEFINITIONS.upsertRecipe, (...call) => upsertRecipe(shared, ...call)),
    make(DEFINITIONS.getRecipe, (scope, args) => getRecipe(shared, scope, args)),
  ]
  return {
    metaTools: new Map(tools.map((tool) => [tool.slug, tool])),
    async runRecipe(scope, slug, args, call) {
      const recipe = await shared.recipes.find(scope, slug)
      return recipe && shared.recipes.run(scope, recipe, args, call)
    },
  }
}
