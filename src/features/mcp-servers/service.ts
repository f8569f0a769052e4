import type { Catalog, CatalogOf } from '../../catalog/index.ts'
import { LATEST } from '../../catalog/index.ts'
import type { Db, Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import * as store from './store.ts'

export interface McpServerDeps {
  db: Pool
  catalogOf: CatalogOf
  /** Auth configs of the project among `ids`. */
  authConfigsOf(
    projectId: string,
    ids: readonly string[],
  ): Promise<readonly { id: string; toolkit_slug: string }[]>
  /** Auth configs among `ids` under which the user has an ACTIVE account. */
  connectedUnder(
    db: Db,
    projectId: string,
    userId: string,
    ids: readonly string[],
  ): Promise<readonly string[]>
  /** Deletes the user's accounts of these auth configs, as part of the transaction; answers how many. */
  removeAccounts(tx: Db, projectId: string, userId: string, ids: readonly string[]): Promise<number>
  /** Signs the clients of the user out of the server, as part of the transaction. */
  removeGrants(tx: Db, projectId: string, serverId: string, userId: string): Promise<unknown>
}

type Draft = Partial<store.ServerDraft>

export function mcpServerService({
  db,
  catalogOf,
  authConfigsOf,
  connectedUnder,
  removeAccounts,
  removeGrants,
}: McpServerDeps) {
  const notFound = (id: string) => new ApiError('Mcp_ServerNotFound', `MCP server ${id} not found`)

  async function read(projectId: string, id: string): Promise<store.ServerRow> {
    const row = await store.find(db, projectId, id)
    if (!row) throw notFound(id)
    return row
  }

  /** What was named exists. @throws 400, 404 */
  async function checked(
    projectId: string,
    { toolkits = [], allowed_tools: tools = [], auth_config_ids: ids = [] }: Draft,
    toolsMember: string,
    toolkitsMember: string,
  ) {
    const catalog = await catalogOf(projectId)
    const known = await authConfigsOf(projectId, ids)
    const missing = ids.find((id) => !known.some((one) => one.id === id))
    if (missing) throw new ApiError('Auth_Config_NotFound', `Auth config ${missing} not found`)
    const mistakes = [
      ...toolkits
        .filter((slug) => !catalog.toolkit(slug))
        .map((slug) => `Error in payload.${toolkitsMember}: there is no toolkit ${slug}`),
      ...tools
        .filter((slug) => !toolOf(catalog, slug))
        .map((slug) => `Error in payload.${toolsMember}: there is no tool ${slug}`),
    ]
    if (mistakes.length) throw badRequest(...mistakes.slice(0, 100))
    return {
      auth_config_ids: [...new Set(ids)],
      toolkits: [...new Set(toolkits.map((slug) => slug.toLowerCase()))],
      allowed_tools: [...new Set(tools.map((slug) => slug.toUpperCase()))],
    }
  }

  return {
    read,
    list: (projectId: string, filter: store.ServerFilter, page: { limit: number; offset: number }) =>
      store.list(db, projectId, filter, page),

    /** A server that names tools and nothing else is over their toolkits. */
    async create(
      projectId: string,
      draft: Draft & { name: string; managed_auth: boolean },
      names: { tools: string; toolkits: string },
    ): Promise<store.ServerRow> {
      const row = await checked(projectId, draft, names.tools, names.toolkits)
      const catalog = await catalogOf(projectId)
      const toolkits =
        row.toolkits.length || row.auth_config_ids.length
          ? row.toolkits
          : [...new Set(row.allowed_tools.map((slug) => toolOf(catalog, slug)!.toolkit))]
      return read(
        projectId,
        await store.insert(db, projectId, {
          ...row,
          toolkits,
          name: draft.name,
          managed_auth: draft.managed_auth,
        }),
      )
    },

    /** Members that are not there stay as they are. */
    async update(projectId: string, id: string, change: Draft): Promise<store.ServerRow> {
      await read(projectId, id)
      const good = await checked(projectId, change, 'allowed_tools', 'toolkits')
      const given = Object.fromEntries(
        Object.entries(good).filter(([key]) => change[key as keyof Draft] !== undefined),
      )
      const { name, managed_auth } = change
      if (!(await store.update(db, projectId, id, { ...given, name, managed_auth }))) throw notFound(id)
      return read(projectId, id)
    },

    async remove(projectId: string, id: string): Promise<void> {
      await read(projectId, id)
      if (!(await store.update(db, projectId, id, { deleted_at: new Date() }))) throw notFound(id)
    },

    async listInstances(
      projectId: string,
      id: string,
      filter: Parameters<typeof store.listInstances>[3],
      page: { limit: number; offset: number },
    ) {
      const server = await read(projectId, id)
      return { server, ...(await store.listInstances(db, projectId, server.id, filter, page)) }
    },

    /** @throws 403 when the user has no account under an auth config of the server, 409 when there is one */
    async createInstance(projectId: string, id: string, userId: string): Promise<store.InstanceRow> {
      const server = await read(projectId, id)
      const connected = await connectedUnder(db, projectId, userId, server.auth_config_ids)
      const missing = server.auth_config_ids.filter((config) => !connected.includes(config))
      if (missing.length)
        throw new ApiError(
          'Mcp_NotConnected',
          `The user ${userId} has no active connected account for ${missing.join(', ')}.`,
        )
      const row = await store.insertInstance(db, projectId, server.id, userId)
      if (!row)
        throw new ApiError(
          'Mcp_InstanceExists',
          `The MCP server ${id} has an instance for the user ${userId}.`,
        )
      return row
    },

    /** Deletes the user's accounts under the auth configs of the server too; answers how many. */
    async removeInstance(projectId: string, id: string, userId: string): Promise<number> {
      const server = await read(projectId, id)
      return db.begin(async (tx) => {
        if (!(await store.removeInstance(tx, projectId, server.id, userId)))
          throw new ApiError('Mcp_InstanceNotFound', `The MCP server ${id} has no instance ${userId}.`)
        await removeGrants(tx, projectId, server.id, userId)
        return removeAccounts(tx, projectId, userId, server.auth_config_ids)
      })
    },
  }
}

/** Case is the caller's. */
const toolOf = (catalog: Catalog, slug: string) => catalog.entry(slug.toUpperCase(), LATEST)
