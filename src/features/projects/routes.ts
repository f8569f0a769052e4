import * as contract from '../../contract/projects.ts'
import { maskKey } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageMeta, readPage } from '../../platform/http/paging.ts'
import type { KeyRow } from './api-keys/store.ts'
import { openKey } from './api-keys/keys.ts'
import { effectiveConfig } from './project-config.ts'
import { type ProjectDeps, projectService } from './service.ts'
import type { ProjectRow } from './store.ts'

/** The addresses of the webhooks of projects, as projects show them; of those that have any. */
export type WebhooksOf = (
  projectIds: readonly string[],
) => Promise<ReadonlyMap<string, Pick<contract.Project, 'webhook_url' | 'event_webhook_url'>>>

export function projectRoutes(api: Api, deps: ProjectDeps & { host: string; webhooksOf: WebhooksOf }): void {
  const service = projectService(deps)
  const { encryptor } = deps

  api.on(contract.createProject, ({ organizationId, body }) => service.create(organizationId, body))
  api.on(contract.listProjects, async ({ organizationId, query, apiVersion }) => {
    const page = readPage(query)
    const { rows, total } = await service.list(organizationId, page)
    const ids = rows.map(({ id }) => id)
    const [allKeys, webhooks] = await Promise.all([service.keysOf(ids), deps.webhooksOf(ids)])
    const keys = Map.groupBy(allKeys, ({ project_id: id }) => id)
    return {
      data: rows.map((row) => ({
        ...present(row),
        ...webhooks.get(row.id),
        api_keys: (keys.get(row.id) ?? []).map((key) => presentKey(key, apiVersion)),
      })),
      ...pageMeta(total, page),
    }
  })
  api.on(contract.readProject, async ({ organizationId, params, apiVersion }) => {
    const row = await service.read(organizationId, projectIdOf(params))
    const [keys, webhooks] = await Promise.all([service.keysOf([row.id]), deps.webhooksOf([row.id])])
    return {
      ...present(row),
      ...webhooks.get(row.id),
      api_keys: keys.map((key) => presentKey(key, apiVersion)),
    }
  })
  api.on(contract.deleteProject, async ({ organizationId, params }) => {
    await service.remove(organizationId, projectIdOf(params))
    return { status: 'success' }
  })
  api.on(contract.regenerateProjectKey, async ({ organizationId, params }) => {
    const { id, name, key, row } = await service.regenerateKey(organizationId, projectIdOf(params))
    return {
      api_key: { id, name, key, created_at: row.created_at.toISOString() },
      message: 'Every earlier key of the project has stopped working.',
    }
  })

  api.on(contract.createProjectKey, async ({ organizationId, params, body }) => {
    const { key, row } = await service.createKey(organizationId, projectIdOf(params), body)
    return { ...presentScoped(row), key }
  })
  api.on(contract.listProjectKeys, async ({ organizationId, params }) => ({
    items: (await service.listKeys(organizationId, projectIdOf(params))).map(presentScoped),
  }))
  api.on(contract.deleteProjectKey, async ({ organizationId, params }) => {
    await service.removeKey(organizationId, projectIdOf(params), params.key_id)
    return { success: true }
  })

  api.on(contract.readProjectConfig, async ({ projectId }) =>
    effectiveConfig((await service.project(projectId))?.config ?? {}),
  )
  api.on(contract.updateProjectConfig, async ({ projectId, body }) =>
    effectiveConfig((await service.updateConfig(projectId, body))?.config ?? {}),
  )

  api.on(contract.readSessionInfo, async ({ projectId, keyId }) => {
    const [row, key, webhooks] = await Promise.all([
      service.project(projectId),
      service.key(keyId),
      deps.webhooksOf([projectId]),
    ])
    if (!row || !key) throw new ApiError('APIKey_InvalidAPIKey', 'The key was revoked.')
    const project = {
      ...present(row),
      ...webhooks.get(row.id),
      auto_id: row.auto_id,
      id: row.uuid,
      nano_id: row.id,
      org: { id: row.organization_id, name: row.organization_name, plan: row.plan },
    }
    return {
      project,
      api_key: {
        auto_id: key.auto_id,
        id: key.uuid,
        name: key.name,
        project_id: row.id,
        org_member_id: row.uuid,
        created_at: key.created_at.toISOString(),
        updated_at: key.updated_at.toISOString(),
        deleted_at: null,
        key: maskKey(openKey(encryptor, key)),
        deleted: false,
      },
      org_member: { id: row.uuid, email: project.email, name: 'Operator', role: 'admin' },
    }
  })
  api.on(contract.readNanoId, async ({ projectId, query }) => {
    return { nanoid: await service.nanoId(projectId, query.uuid, query.type) }
  })

  function present(row: ProjectRow): Omit<contract.Project, 'api_keys'> {
    return {
      id: row.id,
      org_id: row.organization_id,
      name: row.name,
      email: `project-${row.auto_id}@${deps.host}`,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      last_subscribed_at: null,
      webhook_url: null,
      event_webhook_url: null,
      webhook_secret: null,
      triggers_enabled: row.triggers_enabled,
      is_new_webhook: true,
      deleted: false,
      webhook_version: 'V2',
    }
  }

  /** In clear on v3, masked on v3.1. */
  function presentKey(row: KeyRow, apiVersion: string) {
    const key = openKey(encryptor, row)
    return {
      id: row.id,
      name: row.name,
      key: apiVersion === 'v3' ? key : maskKey(key),
      created_at: row.created_at.toISOString(),
    }
  }

  function presentScoped(row: KeyRow) {
    return { ...presentKey(row, 'v3.1'), permissions: row.permissions, allowed_ips: row.allowed_ips }
  }
}

/** Both spellings of the prefix are in use; ours is `proj_`. */
const projectIdOf = ({ nano_id: id }: { nano_id: string }): string => id.replace(/^pr_/, 'proj_')
