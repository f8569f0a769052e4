import type { Catalog } from '../../catalog/index.ts'
import * as contract from '../../contract/auth-configs/index.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import { authConfigPresenter, type PresenterDeps } from './present.ts'
import { type AuthConfigDeps, authConfigService } from './service.ts'

type RouteDeps = AuthConfigDeps & PresenterDeps
type AuthConfigService = ReturnType<typeof authConfigService>

/** Runs before an auth config is deleted: removes webhooks at applications, which needs its credentials. */
type BeforeDelete = (projectId: string, id: string) => Promise<void>

export function authConfigRoutes(api: Api, deps: RouteDeps, beforeDelete: BeforeDelete): void {
  const service = authConfigService(deps)
  readRoutes(api, deps, service)
  changeRoutes(api, service, beforeDelete)
}

function readRoutes(api: Api, deps: RouteDeps, service: AuthConfigService): void {
  const present = authConfigPresenter(deps)
  api.on(contract.listAuthConfigs, async ({ projectId, query, apiVersion }) => {
    const catalog = await deps.catalogOf(projectId)
    const page = readPage(query)
    const filter = {
      managed: query.is_service_managed,
      toolkits: toolkitFilter(deps, catalog, query),
      search: query.search,
      searchIds: apiVersion === 'v3.1',
      includeDisabled: query.show_disabled ?? false,
      status: query.deprecated_status?.toUpperCase() as 'ENABLED' | 'DISABLED' | undefined,
    }
    const { rows, total, next } = await service.list(projectId, filter, page)
    return pageOf(
      rows.map((row) => present(catalog, row)),
      total,
      page,
      next,
    )
  })
  api.on(contract.readAuthConfig, async ({ projectId, params }) =>
    present(await deps.catalogOf(projectId), await service.read(projectId, params.nanoid)),
  )
}

function changeRoutes(api: Api, service: AuthConfigService, beforeDelete: BeforeDelete): void {
  api.on(contract.createAuthConfig, async ({ projectId, keyId, body }) => {
    const { toolkit, auth_config: draft = { type: 'use_service_managed_auth' } } = body
    const row = await service.create(projectId, keyId, toolkit.slug, draft)
    return {
      toolkit: { slug: row.toolkit_slug },
      auth_config: {
        id: row.id,
        auth_scheme: row.auth_scheme,
        is_service_managed: row.is_service_managed,
        restrict_to_following_tools: row.tools_available_for_execution,
      },
    }
  })
  api.on(
    contract.updateAuthConfig,
    async ({ projectId, permissions, params, body: { auth_config: wrapped, ...plain } }) => {
      await service.update(projectId, params.nanoid, { ...plain, ...wrapped }, permissions === null)
      return {}
    },
  )
  api.on(contract.deleteAuthConfig, async ({ projectId, params, query }) => {
    await beforeDelete(projectId, params.nanoid)
    const jobId = await service.remove(projectId, params.nanoid, query.revoke_on_delete ?? false)
    return jobId ? { revoke_job_id: jobId } : {}
  })
  api.on(contract.setAuthConfigStatus, async ({ projectId, params }) => {
    await service.setStatus(projectId, params.nanoid, params.status)
    return {}
  })
}

/** Returns the slugs of the toolkits that match all given filters, or undefined without a filter. */
function toolkitFilter(
  { legacyId }: Pick<PresenterDeps, 'legacyId'>,
  catalog: Catalog,
  {
    toolkit_slug: slugs,
    deprecated_app_id: legacy,
  }: { toolkit_slug?: string[] | undefined; deprecated_app_id?: string | undefined },
): string[] | undefined {
  const requestedSlugs = slugs?.map((slug) => slug.toLowerCase())
  if (legacy === undefined) return requestedSlugs
  return catalog.toolkits
    .map(({ slug }) => slug)
    .filter(
      (slug) => legacyId(slug) === legacy.toLowerCase() && (!requestedSlugs || requestedSlugs.includes(slug)),
    )
}
