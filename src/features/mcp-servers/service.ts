import { type Catalog, type CatalogOf, LATEST_VERSION } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import * as store from './store.ts'

export interface McpServerServiceDeps {
  db: Pool
  catalogOf: CatalogOf
  /** Finds the auth configs of the project among `ids`. */
  findAuthConfigs(
    projectId: string,
    ids: readonly string[],
  ): Promise<readonly { id: string; toolkit_slug: string }[]>
  /** Returns the auth configs among `ids` under which the user has an ACTIVE account. */
  findConnectedAuthConfigs(
    db: Db,
    projectId: string,
    userId: string,
    ids: readonly string[],
  ): Promise<readonly string[]>
  /** Deletes the user's accounts of these auth configs in the transaction, and returns how many there were. */
  removeAccounts(tx: Db, projectId: string, userId: string, ids: readonly string[]): Promise<number>
  /** Deletes the grants of the user's MCP clients for the server in the transaction. */
  removeGrants(tx: Db, projectId: string, serverId: string, userId: string): Promise<unknown>
}

type Draft = Partial<store.ServerDraft>
/** The request fields that problems name. */
interface FieldNames {
  tools: string
  toolkits: string
}

const PROBLEMS_MAX = 100
const notFound = (id: string) => new ApiError('Mcp_ServerNotFound', `MCP server ${id} not found`)

/** @throws ApiError 404 */
export async function readServer(
  { db }: Pick<McpServerServiceDeps, 'db'>,
  projectId: string,
  id: string,
): Promise<store.ServerRow> {
  const row = await store.find(db, projectId, id)
  if (!row) throw notFound(id)
  return row
}

/** Creates a server. A server with tools, but without toolkits and auth configs, gets the toolkits of its tools. */
export async function createServer(
  deps: McpServerServiceDeps,
  projectId: string,
  draft: Draft & { name: string; managed_auth: boolean },
  names: FieldNames,
): Promise<store.ServerRow> {
  const lists = await validateDraft(deps, projectId, draft, names)
  const catalog = await deps.catalogOf(projectId)
  const toolkits =
    lists.toolkits.length || lists.auth_config_ids.length
      ? lists.toolkits
      : [...new Set(lists.allowed_tools.map((slug) => findTool(catalog, slug)!.toolkit))]
  const { name, managed_auth } = draft
  const id = await store.insert(deps.db, projectId, { ...lists, toolkits, name, managed_auth })
  return readServer(deps, projectId, id)
}

/** Updates a server. Omitted fields keep their values. */
export async function updateServer(
  deps: McpServerServiceDeps,
  projectId: string,
  id: string,
  change: Draft,
): Promise<store.ServerRow> {
  await readServer(deps, projectId, id)
  const lists = await validateDraft(deps, projectId, change, { tools: 'allowed_tools', toolkits: 'toolkits' })
  const changedLists = Object.fromEntries(
    Object.entries(lists).filter(([key]) => change[key as keyof Draft] !== undefined),
  )
  const { name, managed_auth } = change
  if (!(await store.update(deps.db, projectId, id, { ...changedLists, name, managed_auth })))
    throw notFound(id)
  return readServer(deps, projectId, id)
}

export async function removeServer(deps: McpServerServiceDeps, projectId: string, id: string): Promise<void> {
  await readServer(deps, projectId, id)
  if (!(await store.update(deps.db, projectId, id, { deleted_at: new Date() }))) throw notFound(id)
}

/** Checks that all toolkits, tools and auth configs exist. @throws ApiError 400, 404 */
async function validateDraft(
  { catalogOf, findAuthConfigs }: McpServerServiceDeps,
  projectId: string,
  { toolkits = [], allowed_tools: tools = [], auth_config_ids: ids = [] }: Draft,
  names: FieldNames,
) {
  const catalog = await catalogOf(projectId)
  const configs = await findAuthConfigs(projectId, ids)
  const missing = ids.find((id) => !configs.some((config) => config.id === id))
  if (missing) throw new ApiError('Auth_Config_NotFound', `Auth config ${missing} not found`)
  const problems = [
    ...toolkits
      .filter((slug) => !catalog.toolkit(slug))
      .map((slug) => `Error in payload.${names.toolkits}: there is no toolkit ${slug}`),
    ...tools
      .filter((slug) => !findTool(catalog, slug))
      .map((slug) => `Error in payload.${names.tools}: there is no tool ${slug}`),
  ]
  if (problems.length) throw badRequest(...problems.slice(0, PROBLEMS_MAX))
  return {
    auth_config_ids: [...new Set(ids)],
    toolkits: [...new Set(toolkits.map((slug) => slug.toLowerCase()))],
    allowed_tools: [...new Set(tools.map((slug) => slug.toUpperCase()))],
  }
}

export async function listInstances(
  deps: McpServerServiceDeps,
  projectId: string,
  id: string,
  filter: Parameters<typeof store.listInstances>[3],
  page: { limit: number; offset: number },
) {
  const server = await readServer(deps, projectId, id)
  return { server, ...(await store.listInstances(deps.db, projectId, server.id, filter, page)) }
}

/** @throws ApiError 403 if the user has no account under an auth config of the server, 409 if the instance exists */
export async function createInstance(
  deps: McpServerServiceDeps,
  projectId: string,
  id: string,
  userId: string,
): Promise<store.InstanceRow> {
  const server = await readServer(deps, projectId, id)
  const connected = await deps.findConnectedAuthConfigs(deps.db, projectId, userId, server.auth_config_ids)
  // Several auth configs of a toolkit are ways to sign in: one account is enough.
  const toolkitOf = new Map(server.configs.map((config) => [config.id, config.toolkit]))
  const connectedToolkits = new Set(connected.map((config) => toolkitOf.get(config)))
  const missing = server.auth_config_ids.filter((config) => !connectedToolkits.has(toolkitOf.get(config)))
  if (missing.length)
    throw new ApiError(
      'Mcp_NotConnected',
      `The user ${userId} has no active connected account for ${missing.join(', ')}.`,
    )
  const row = await store.insertInstance(deps.db, projectId, server.id, userId)
  if (!row)
    throw new ApiError(
      'Mcp_InstanceExists',
      `The MCP server ${id} already has an instance for the user ${userId}.`,
    )
  return row
}

/**
 * Deletes an instance, the user's grants, and the user's accounts under the auth configs. Returns how many
 * accounts.
 */
export async function removeInstance(
  deps: McpServerServiceDeps,
  projectId: string,
  id: string,
  userId: string,
): Promise<number> {
  const server = await readServer(deps, projectId, id)
  return deps.db.begin(async (tx) => {
    if (!(await store.removeInstance(tx, projectId, server.id, userId)))
      throw new ApiError('Mcp_InstanceNotFound', `The MCP server ${id} has no instance ${userId}.`)
    await deps.removeGrants(tx, projectId, server.id, userId)
    return deps.removeAccounts(tx, projectId, userId, server.auth_config_ids)
  })
}

const findTool = (catalog: Catalog, slug: string) => catalog.entry(slug.toUpperCase(), LATEST_VERSION)
