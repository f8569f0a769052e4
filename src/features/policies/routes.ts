import { type CatalogOf, type ResolvedTool, LATEST_VERSION } from '../../catalog/index.ts'
import * as contract from '../../contract/policies.ts'
import { PROXY_SLUG, createProxyTool } from '../../engine/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import { compileArgumentTest } from './decision/argument-tests.ts'
import { decide } from './decision/evaluate-policies.ts'
import * as store from './store.ts'
import type { Rules } from './decision/policy-cache.ts'

const POLICIES_MAX = 100
const DEFAULTS = {
  enabled: true,
  fallback: false,
  message: null,
  covers_proxy: true,
  approval_seconds: 600,
  approval_link: true,
}

export interface PolicyDeps {
  db: Pool
  catalogOf: CatalogOf
  rules: Rules
}

export function policyRoutes(api: Api, { db, catalogOf, rules }: PolicyDeps): void {
  const notFound = (id: string) => new ApiError('Policy_NotFound', `Policy ${id} not found`)

  api.on(contract.createPolicy, async ({ projectId, body: { when = {}, ...rest } }) => {
    checkPaths(when)
    const row = await db.begin(async (tx) => {
      await store.hold(tx, projectId)
      if ((await store.count(tx, projectId)) >= POLICIES_MAX)
        throw new ApiError('Policy_LimitReached', `A project has at most ${POLICIES_MAX} policies.`)
      return store.insert(tx, projectId, newId('pol'), { ...DEFAULTS, ...rest, conditions: when })
    })
    rules.forget()
    return present(row)
  })
  api.on(contract.listPolicies, async ({ projectId, query }) => {
    const page = readPage(query)
    return pageOf(
      (await store.list(db, projectId, page)).map(present),
      await store.count(db, projectId),
      page,
    )
  })
  api.on(contract.readPolicy, async ({ projectId, params: { policy_id: id } }) => {
    const row = await store.find(db, projectId, id)
    if (!row) throw notFound(id)
    return present(row)
  })
  api.on(contract.updatePolicy, async ({ projectId, params: { policy_id: id }, body: { when, ...rest } }) => {
    if (when) checkPaths(when)
    const row = await store.update(db, projectId, id, { ...rest, ...(when && { conditions: when }) })
    if (!row) throw notFound(id)
    rules.forget()
    return present(row)
  })
  api.on(contract.deletePolicy, async ({ projectId, params: { policy_id: id } }) => {
    if ((await store.remove(db, projectId, id)) === 0) throw notFound(id)
    rules.forget()
    return { success: true }
  })
  api.on(contract.checkPolicies, async ({ projectId, body }) => {
    const catalog = await catalogOf(projectId)
    const isProxy = body.tool_slug.toUpperCase() === PROXY_SLUG
    const found = isProxy ? proxied() : catalog.tool(body.tool_slug, LATEST_VERSION)
    if (!found) throw new ApiError('Tool_ToolNotFound', `Tool ${body.tool_slug} not found`)
    const verdict = decide(await rules.of(projectId), {
      catalog,
      found,
      isProxy,
      arguments: body.arguments ?? {},
      userId: body.user_id ?? null,
      accountId: body.connected_account_id ?? null,
      sessionId: body.session_id ?? null,
    })
    return {
      outcome: verdict.outcome,
      policies: verdict.applied.map(({ rule: { id, name, outcome, fallback }, certain }) => ({
        id,
        name,
        outcome,
        fallback,
        certain,
      })),
    }

    function proxied(): ResolvedTool {
      const toolkit = catalog.toolkit(body.toolkit_slug ?? '')
      if (!toolkit)
        throw new ApiError(
          'Toolkit_ToolkitNotFound',
          `Toolkit ${body.toolkit_slug ?? ''} not found; ${PROXY_SLUG} is checked for a toolkit_slug.`,
        )
      return { toolkit, version: toolkit.version, tool: createProxyTool(toolkit, 'POST') }
    }
  })
}

/** @throws ApiError 400 for what is no path of an argument, or tests nothing */
function checkPaths({ arguments: tests = [] }: contract.When): void {
  const mistakes = tests.flatMap((test, at) => {
    try {
      compileArgumentTest(test)
      return []
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return [`Error in payload.when.arguments.${at}: ${error.message}`]
    }
  })
  if (mistakes.length > 0) throw badRequest(...mistakes)
}

function present({
  project_id: _project,
  conditions,
  created_at,
  updated_at,
  ...rest
}: store.PolicyRow): contract.Policy {
  return {
    ...rest,
    when: conditions,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
