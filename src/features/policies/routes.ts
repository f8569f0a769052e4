import {
  type Catalog,
  type CatalogOf,
  describeMissingTool,
  LATEST_VERSION,
  type ResolvedTool,
} from '../../catalog/index.ts'
import * as contract from '../../contract/policies/index.ts'
import { PROXY_SLUG, createProxyTool } from '../../engine/index.ts'
import type { Pool } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { newId } from '../../platform/ids.ts'
import { compileArgumentTest } from './decision/argument-tests.ts'
import { evaluatePolicies } from './decision/evaluate-policies.ts'
import type { PolicyCache } from './decision/policy-cache.ts'
import type { SourceTracker } from './data-flow/track-sources.ts'
import * as store from './store.ts'

const POLICIES_MAX = 100
const PROXY_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'] as const
type ProxyMethod = (typeof PROXY_METHODS)[number]
const DEFAULTS = {
  enabled: true,
  fallback: false,
  message: null,
  covers_proxy: true,
  approval_seconds: 600,
  approval_link: false,
}

export interface PolicyDeps {
  db: Pool
  catalogOf: CatalogOf
  policyCache: PolicyCache
  sources: SourceTracker
}

export function policyRoutes(api: Api, deps: PolicyDeps): void {
  const { db, policyCache } = deps
  const notFound = (id: string) => new ApiError('Policy_NotFound', `Policy ${id} not found`)

  api.on(contract.createPolicy, async ({ projectId, body: { when = {}, ...rest } }) => {
    validateArgumentTests(when)
    const row = await db.begin(async (tx) => {
      await store.lockPolicies(tx, projectId)
      if ((await store.count(tx, projectId)) >= POLICIES_MAX)
        throw new ApiError('Policy_LimitReached', `A project has at most ${POLICIES_MAX} policies.`)
      return store.insert(tx, projectId, newId('pol'), { ...DEFAULTS, ...rest, conditions: when })
    })
    policyCache.clear()
    return presentPolicy(row)
  })
  api.on(contract.listPolicies, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await store.list(db, projectId, page)
    return pageOf(rows.map(presentPolicy), total, page, next)
  })
  api.on(contract.readPolicy, async ({ projectId, params: { policy_id: id } }) => {
    const row = await store.find(db, projectId, id)
    if (!row) throw notFound(id)
    return presentPolicy(row)
  })
  api.on(contract.updatePolicy, async ({ projectId, params: { policy_id: id }, body: { when, ...rest } }) => {
    if (when) validateArgumentTests(when)
    const row = await store.update(db, projectId, id, { ...rest, ...(when && { conditions: when }) })
    if (!row) throw notFound(id)
    policyCache.clear()
    return presentPolicy(row)
  })
  api.on(contract.deletePolicy, async ({ projectId, params: { policy_id: id } }) => {
    if ((await store.remove(db, projectId, id)) === 0) throw notFound(id)
    policyCache.clear()
    return { success: true }
  })
  checkPoliciesRoute(api, deps)
}

function checkPoliciesRoute(api: Api, { catalogOf, policyCache, sources }: PolicyDeps): void {
  api.on(contract.checkPolicies, async ({ projectId, body }) => {
    const catalog = await catalogOf(projectId)
    const isProxy = body.tool_slug.toUpperCase() === PROXY_SLUG
    const method = isProxy ? proxyMethod(body.arguments) : undefined
    const resolvedTool = method
      ? resolveProxyTool(catalog, body.toolkit_slug ?? '', method)
      : catalog.tool(body.tool_slug, LATEST_VERSION)
    if (!resolvedTool) throw new ApiError('Tool_ToolNotFound', describeMissingTool(catalog, body.tool_slug))
    const { outcome, applied } = evaluatePolicies(await policyCache.policiesFor(projectId), {
      catalog,
      resolvedTool,
      isProxy,
      arguments: { ...body.arguments, ...(method && { method }) },
      userId: body.user_id ?? null,
      accountId: body.connected_account_id ?? null,
      sessionId: body.session_id ?? null,
      sources:
        body.session_id === undefined
          ? undefined
          : await sources.list({ projectId, contextId: body.session_id }),
    })
    return {
      outcome,
      policies: applied.map(({ policy, certain }) => ({
        id: policy.id,
        name: policy.name,
        outcome: policy.outcome,
        fallback: policy.fallback,
        certain,
      })),
    }
  })
}

/** The method of a proxy request that is checked. Default POST. @throws ApiError 400 */
function proxyMethod({ method = 'POST' }: Readonly<Record<string, unknown>> = {}): ProxyMethod {
  const known = PROXY_METHODS.find((one) => one === method)
  if (!known)
    throw badRequest(`Error in payload.arguments.method: must be one of ${PROXY_METHODS.join(', ')}`)
  return known
}

function resolveProxyTool(catalog: Catalog, slug: string, method: ProxyMethod): ResolvedTool {
  const toolkit = catalog.toolkit(slug)
  if (!toolkit)
    throw new ApiError(
      'Toolkit_ToolkitNotFound',
      `Toolkit ${slug} not found. A check of ${PROXY_SLUG} needs a toolkit_slug.`,
    )
  return { toolkit, version: toolkit.version, tool: createProxyTool(toolkit, method) }
}

/** @throws ApiError 400 for an invalid argument path, or an argument test without a condition */
function validateArgumentTests({ arguments: tests = [] }: contract.PolicyCondition): void {
  const problems = tests.flatMap((test, index) => {
    try {
      compileArgumentTest(test)
      return []
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return [`Error in payload.when.arguments.${index}: ${error.message}`]
    }
  })
  if (problems.length > 0) throw badRequest(...problems)
}

function presentPolicy({
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
