import { LRUCache } from 'lru-cache'
import type { JsonSchema } from '../../../catalog/index.ts'
import type { ToolInput, ToolExecution, ExecutionRow, CheckArguments } from '../../../engine/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Pool } from '../../../platform/db/sql.ts'
import { toApiError } from '../../../platform/http/server/api-errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { SessionCall, SessionScope } from '../index.ts'
import { type Program, readProgram } from './parse-program.ts'
import { runProgram } from './run-program.ts'
import * as store from './store.ts'

/** A recipe as a tool: found by searches, called as `RECIPE_<slug>`. */
export interface RecipeTool {
  readonly slug: string
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
  /** Whose connections it needs. */ readonly toolkits: readonly string[]
  readonly program: Program
  readonly version: number
  readonly versionId: string
}

/** As the meta tools answer it. */
export interface ShownRecipe {
  recipe_slug: string
  tool_slug: string
  name: string
  description: string
  recipe_code: string
  version: number
  toolkits: string[]
  created_at: string
  updated_at: string
}

export interface RecipeDeps {
  db: Pool
  encryptor: Encryptor
  clock: Clock
  read: CheckArguments
  record(row: ExecutionRow): Promise<void>
}
export type Recipes = ReturnType<typeof recipes>

const PREFIX = 'RECIPE_'
/** With the prefix it is a name that every vendor of models takes. */
const SLUG = /^[A-Z0-9_]{3,56}$/
const KNOWN_MAX = 500
const contextOf = (id: string) => `recipe_versions:${id}:encrypted_payload`
const TEXT_MAX = 2_000,
  PAYLOAD_MAX = 32_000
const NO_LIMITS = { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined }

/** Sequences of tool calls that users keep: stored in versions, run within a session as one tool. */
export function recipes({ db, encryptor, clock, read, record }: RecipeDeps) {
  const programs = new LRUCache<string, { program: Program; code: string }>({
    max: KNOWN_MAX,
    maxSize: 20_000_000,
    sizeCalculation: ({ code }) => code.length + 1,
  })
  const described = new LRUCache<string, ToolInput>({ max: KNOWN_MAX })

  async function opened(
    projectId: string,
    rows: readonly store.RecipeRow[],
  ): Promise<Map<string, { program: Program; code: string }>> {
    const missing = rows.filter(({ version_id: id }) => !programs.has(id)).map(({ version_id: id }) => id)
    const fresh = new Map(
      (missing.length ? await store.codes(db, projectId, missing) : []).flatMap(({ id, encrypted_payload: encryptedPayload }) => {
        const code = encryptor.decrypt<string>(encryptedPayload, contextOf(id))
        const parsed = readProgram(code)
        return 'program' in parsed ? [[id, { program: parsed.program, code }] as const] : []
      }),
    )
    for (const [id, one] of fresh) programs.set(id, one)
    return new Map(
      rows.flatMap(({ version_id: id }) => {
        const one = fresh.get(id) ?? programs.get(id)
        return one ? [[id, one] as const] : []
      }),
    )
  }

  /** Undefined when a step is not to be seen in this session. */
  function asTool(
    { find }: SessionScope,
    { slug, name, description, version, version_id: versionId }: store.RecipeRow,
    program: Program,
  ): RecipeTool | undefined {
    const found = program.steps.map(({ tool }) => find(tool))
    if (found.some((one) => !one)) return undefined
    const toolkits = [
      ...new Set(
        found.flatMap((one) => (one!.toolkit.noAuth || one!.tool.noAuth ? [] : [one!.toolkit.slug])),
      ),
    ]
    return {
      slug: PREFIX + slug,
      name,
      description,
      input: program.inputs,
      toolkits,
      program,
      version,
      versionId,
    }
  }

  async function toolsOf(scope: SessionScope, rows: readonly store.RecipeRow[]): Promise<RecipeTool[]> {
    const byVersion = await opened(scope.projectId, rows)
    return rows.flatMap((row) => {
      const one = byVersion.get(row.version_id)
      return (one && asTool(scope, row, one.program)) ?? []
    })
  }

  async function shown(scope: SessionScope, row: store.RecipeRow): Promise<ShownRecipe> {
    const one = (await opened(scope.projectId, [row])).get(row.version_id)
    const toolkits = [
      ...new Set((one?.program.steps ?? []).flatMap(({ tool }) => scope.catalog.ownerOf(tool) ?? [])),
    ]
    return {
      recipe_slug: row.slug,
      tool_slug: PREFIX + row.slug,
      name: row.name,
      description: row.description,
      recipe_code: one?.code ?? '',
      version: row.version,
      toolkits,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    }
  }

  const nameOf = (slug: string): string => slug.toUpperCase().replace(/^RECIPE_/, '')
  const rowOfSlug = async (
    { projectId, userId }: SessionScope,
    slug: string,
  ): Promise<store.RecipeRow | undefined> =>
    SLUG.test(nameOf(slug)) ? store.find(db, projectId, userId, nameOf(slug)) : undefined

  return {
    /** The user's recipes of which every step is to be seen in this session. */
    tools: async (scope: SessionScope): Promise<RecipeTool[]> =>
      toolsOf(scope, await store.list(db, scope.projectId, scope.userId)),

    /** By its slug as a tool, in any case. */
    async find(scope: SessionScope, slug: string): Promise<RecipeTool | undefined> {
      const row = slug.toUpperCase().startsWith(PREFIX) ? await rowOfSlug(scope, slug) : undefined
      return row && (await toolsOf(scope, [row]))[0]
    },

    /** Runs its steps within the session; each is a call like any other, logged under the run. Inputs that do not fit are an outcome with an error. */
    async run(
      scope: SessionScope,
      recipe: RecipeTool,
      inputs: Record<string, unknown>,
      { signal, parentLogId }: SessionCall,
    ): Promise<ToolExecution> {
      let target = described.get(recipe.versionId)
      if (!target)
        described.set(
          recipe.versionId,
          (target = { slug: recipe.slug, input: recipe.input, limits: NO_LIMITS }),
        )
      const [logId, startedAt] = [newId('log'), clock.now()]
      const refused = read({ tool: target }, inputs)
      const { data, error } = refused
        ? { data: {}, error: refused.error }
        : await runProgram(
            recipe.program,
            inputs,
            (tool, args, account, stop) =>
              scope.execute(tool, args, { account, signal: stop, parentLogId: logId }),
            signal,
            tellError,
          )
      await record(
        rowOf(scope, recipe, {
          logId,
          parentLogId,
          startedAt,
          durationMs: Math.max(0, clock.now() - startedAt),
          error,
          payload: { arguments: inputs, data },
        }),
      ).catch((thrown: unknown) =>
        scope.caller.log.error(
          { err: thrown, log_id: logId },
          'the log row of a recipe could not be written',
        ),
      )
      return { data, error, successful: error === null, logId }
    },

    /** Saves a recipe; the same once more changes nothing. Answers what is wrong with it, or the recipe. */
    async save(
      scope: SessionScope,
      given: { slug: string; name: string; description: string | undefined; code: string },
    ): Promise<{ error: string } | { recipe: ShownRecipe; created: boolean }> {
      const slug = nameOf(given.slug)
      if (!SLUG.test(slug)) return { error: 'recipe_slug must have 3 to 56 capitals, digits and _.' }
      if (scope.catalog.ownerOf(PREFIX + slug))
        return { error: `There is a tool ${PREFIX}${slug} already; take another recipe_slug.` }
      const read = readProgram(given.code, scope.find)
      if ('mistakes' in read) return { error: `The recipe was not saved. ${read.mistakes.join(' ')}` }
      const { projectId, userId } = scope
      const name = storable(given.name)
      const created = await db.begin(async (tx) => {
        const row = await store.hold(tx, projectId, userId, { id: newId('rcp'), slug, name })
        if (!row) return undefined
        const current = row.version ? await store.currentCode(tx, row.id, row.version) : undefined
        const description = given.description === undefined ? row.description : storable(given.description)
        const isSame =
          current &&
          row.name === name &&
          row.description === description &&
          encryptor.decrypt<string>(current.encrypted_payload, contextOf(current.id)) === given.code
        const id = newId('rcp')
        if (!isSame)
          await store.addVersion(tx, projectId, row.id, {
            id,
            version: row.version + 1,
            name,
            description,
            encrypted_payload: encryptor.encrypt(given.code, contextOf(id)),
          })
        return row.version === 0
      })
      if (created === undefined)
        return {
          error: `A user may have ${store.RECIPES_MAX} recipes. Save this one under the slug of one that is not needed any more.`,
        }
      return {
        recipe: await shown(scope, (await store.find(db, projectId, userId, slug)) as store.RecipeRow),
        created,
      }
    },

    /** A recipe of the user, runnable here or not. */
    async get(scope: SessionScope, slug: string): Promise<ShownRecipe | undefined> {
      const row = await rowOfSlug(scope, slug)
      return row && shown(scope, row)
    },
  }
}

interface Ended {
  logId: string
  parentLogId: string | undefined
  startedAt: number
  durationMs: number
  error: string | null
  payload: { arguments: unknown; data: unknown }
}

/** The row of the run itself; what its steps did stands in theirs. */
function rowOf(
  { projectId, sessionId, userId, caller: { requestId, source, settings } }: SessionScope,
  { slug, version }: RecipeTool,
  { logId, parentLogId, error, payload, ...times }: Ended,
): ExecutionRow {
  const text = JSON.stringify(payload)
  return {
    id: logId,
    projectId,
    toolSlug: slug,
    toolkitSlug: 'service',
    version: String(version),
    effect: 'read',
    dryRun: false,
    userId,
    connectedAccountId: null,
    authConfigId: null,
    sessionId,
    sandboxId: null,
    parentId: parentLogId ?? null,
    requestId,
    source,
    timings: {},
    requests: 0,
    requestBytes: 0,
    responseBytes: 0,
    successful: error === null,
    statusCode: null,
    error: error?.slice(0, TEXT_MAX) ?? null,
    ...times,
    payload: settings.storePayloads
      ? text.length <= PAYLOAD_MAX
        ? text
        : JSON.stringify({ arguments: { truncated: text.slice(0, PAYLOAD_MAX) } })
      : null,
  }
}

/** As PostgreSQL takes it. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '')

function tellError(error: unknown): string {
  const failure = toApiError(error)
  return [failure.message, ...failure.details].join(' ')
}
