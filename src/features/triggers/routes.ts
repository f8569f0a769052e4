import { type Catalog, type ResolvedTrigger, LATEST_VERSION, versionFor } from '../../catalog/index.ts'
import * as contract from '../../contract/triggers.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage, slicePage } from '../../platform/http/paging.ts'
import { presentInstance, presentType } from './present.ts'
import { type TriggerDeps, triggerService } from './service.ts'
import type { InstanceFilter } from './store.ts'

export interface TriggerRouteDeps extends TriggerDeps {
  logo(slug: string): string
}

type Versions = string | Readonly<Record<string, string>> | undefined

/** Both API versions follow the newest release, unlike tools. */
const versionOf = (versions: Versions, toolkit: string): string =>
  versionFor(
    {
      versions:
        typeof versions === 'object'
          ? Object.fromEntries(
              Object.entries(versions).map(([slug, version]) => [slug.toLowerCase(), version]),
            )
          : versions,
      defaultVersion: LATEST_VERSION,
    },
    toolkit,
  )

export function triggerRoutes(api: Api, deps: TriggerRouteDeps): void {
  const { catalogOf, logo } = deps
  const service = triggerService(deps)

  api.on(contract.listTriggerTypes, async ({ projectId, query, apiVersion }) => {
    const page = readPage(query)
    const { items, total } = slicePage(
      typesIn(await catalogOf(projectId), query.toolkit_slugs, query.toolkit_versions),
      page,
    )
    return pageOf(
      items.map((found) => presentType(found, logo, apiVersion)),
      total,
      page,
    )
  })
  api.on(contract.listTriggerSlugs, async ({ projectId }) =>
    typesIn(await catalogOf(projectId)).map(({ trigger }) => trigger.slug),
  )
  api.on(contract.readTriggerType, async ({ projectId, params, query, apiVersion }) => {
    const catalog = await catalogOf(projectId)
    const toolkit = catalog.trigger(params.slug, LATEST_VERSION)?.toolkit.slug
    const versions = query.toolkit_versions
    const found = catalog.trigger(
      params.slug,
      toolkit === undefined
        ? typeof versions === 'string'
          ? versions
          : LATEST_VERSION
        : versionOf(versions, toolkit),
    )
    if (!found)
      throw new ApiError('TriggerType_NotFound', `Trigger type ${params.slug.toUpperCase()} not found`)
    return presentType(found, logo, apiVersion)
  })

  api.on(contract.upsertTrigger, async ({ projectId, params, body, apiVersion, signal, otherwise }) => {
    const { id, uuid, created } = await service.upsert(
      projectId,
      {
        slug: params.slug,
        accountId: body.connected_account_id ?? body.connectedAuthId,
        userId: body.user_id,
        config: body.trigger_config ?? body.triggerConfig ?? {},
        versions: body.toolkit_versions ?? body.version,
      },
      signal,
    )
    if (!created) otherwise()
    return { trigger_id: id, ...(apiVersion === 'v3' && { deprecated: { uuid } }) }
  })
  api.on(contract.listTriggers, async ({ projectId, query, apiVersion }) => {
    const catalog = await catalogOf(projectId)
    const read = readPage(query)
    const page =
      query.cursor === undefined && query.page !== undefined
        ? { ...read, page: query.page, offset: (query.page - 1) * read.limit }
        : read
    const { rows, total } = await service.list(projectId, filterOf(query), page)
    return pageOf(
      rows.map((row) =>
        presentInstance(
          row,
          ({ toolkit_slug, version }) => catalog.resolveVersion(toolkit_slug, version) ?? version,
          apiVersion,
        ),
      ),
      total,
      page,
    )
  })
  api.on(contract.setTriggerStatus, async ({ projectId, params, body, signal }) => {
    await service.setEnabled(projectId, params.trigger_id, body.status === 'enable', signal)
    return { status: 'success' as const }
  })
  api.on(contract.deleteTrigger, async ({ projectId, params }) => {
    await service.remove(projectId, params.trigger_id)
    return { trigger_id: params.trigger_id }
  })
}

/** By slug, without those that are deprecated. */
function typesIn(catalog: Catalog, slugs?: readonly string[], versions?: Versions): ResolvedTrigger[] {
  const chosen = slugs?.length
    ? [...new Set(slugs.map((slug) => slug.toLowerCase()))]
    : catalog.toolkits.map(({ slug }) => slug)
  return chosen
    .flatMap((slug) => catalog.triggers(slug, versionOf(versions, slug)))
    .filter(({ trigger }) => !trigger.deprecated)
    .sort((a, b) => (a.trigger.slug < b.trigger.slug ? -1 : 1))
}

/** Of two names for one filter the newer wins. */
const filterOf = (query: contract.ActiveFilters): InstanceFilter => ({
  accounts: query.connected_account_ids ?? query.connectedAccountIds,
  accountUuids: query.deprecatedConnectedAccountUuids,
  authConfigs: query.auth_config_ids ?? query.authConfigIds,
  authConfigUuids: query.deprecatedAuthConfigUuids,
  ids: query.trigger_ids ?? query.triggerIds,
  triggers: (query.trigger_names ?? query.triggerNames)?.map((name) => name.toUpperCase()),
  users: query.user_ids,
  showDisabled: query.show_disabled ?? query.showDisabled ?? false,
})
