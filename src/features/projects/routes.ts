import type { ApiVersion } from '../../contract/route.ts'
import * as contract from '../../contract/projects/index.ts'
import { maskKey } from '../../platform/crypto/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import type { KeyPermissions } from '../../platform/http/key-permissions.ts'
import { pageMeta, readPage } from '../../platform/http/paging.ts'
import { decryptApiKey } from './api-keys/keys.ts'
import { keyRoutes, presentKey, projectIdOf } from './api-keys/routes.ts'
import { presentConfig } from './project-config.ts'
import { type ProjectDeps, projectService } from './service.ts'
import type { ProjectRow } from './store.ts'

type ProjectWebhook = Pick<
  contract.Project,
  'webhook_url' | 'event_webhook_url' | 'webhook_secret' | 'webhook_version' | 'last_subscribed_at'
>

/** Finds the webhooks of projects, with their secrets in clear; projects without webhooks are absent. */
export type FindProjectWebhooks = (
  projectIds: readonly string[],
) => Promise<ReadonlyMap<string, ProjectWebhook>>

export interface ProjectRoutesDeps extends ProjectDeps {
  /** Host name of the server, for the e-mail address of a project. */
  host: string
  webhooksOf: FindProjectWebhooks
}

export function projectRoutes(api: Api, deps: ProjectRoutesDeps): void {
  const service = projectService(deps)
  organizationProjectRoutes(api, deps, service)
  keyRoutes(api, deps, service)
  projectConfigRoutes(api, service)
  sessionInfoRoutes(api, deps, service)
}

type ProjectService = ReturnType<typeof projectService>

function organizationProjectRoutes(api: Api, deps: ProjectRoutesDeps, service: ProjectService): void {
  api.on(contract.createProject, async ({ organizationId, body, authorize }) => {
    if (body.should_create_api_key) await authorize({ area: 'api_keys', level: 'write' })
    return service.create(organizationId, body)
  })
  api.on(contract.listProjects, async ({ organizationId, permissions, query, apiVersion }) => {
    const shownAs = secretsVersion(permissions, apiVersion)
    const page = readPage(query)
    const { rows, total, next } = await service.list(organizationId, page)
    const ids = rows.map(({ id }) => id)
    const [allKeys, webhooks] = await Promise.all([service.keysOf(ids), deps.webhooksOf(ids)])
    const keys = Map.groupBy(allKeys, ({ project_id: id }) => id)
    return {
      data: rows.map((row) => ({
        ...presentProject(deps, row),
        ...presentWebhook(webhooks.get(row.id), shownAs),
        api_keys: (keys.get(row.id) ?? []).map((key) => presentKey(deps, key, shownAs)),
      })),
      ...pageMeta(total, page, next),
    }
  })
  api.on(contract.readProject, async ({ organizationId, permissions, params, apiVersion }) => {
    const shownAs = secretsVersion(permissions, apiVersion)
    const row = await service.read(organizationId, projectIdOf(params))
    const [keys, webhooks] = await Promise.all([service.keysOf([row.id]), deps.webhooksOf([row.id])])
    return {
      ...presentProject(deps, row),
      ...presentWebhook(webhooks.get(row.id), shownAs),
      api_keys: keys.map((key) => presentKey(deps, key, shownAs)),
    }
  })
  api.on(contract.deleteProject, async ({ organizationId, params }) => {
    await service.remove(organizationId, projectIdOf(params))
    return { status: 'success' }
  })
  api.on(contract.readProjectDeletion, async ({ organizationId, params }) => {
    const { organization_id: _, ...row } = await service.deletion(organizationId, projectIdOf(params))
    return {
      ...row,
      created_at: row.created_at.toISOString(),
      finished_at: row.finished_at?.toISOString() ?? null,
    }
  })
}

/** v3 shows secrets in clear. Restricted keys see them as v3.1 does: a project key would allow them more. */
const secretsVersion = (permissions: KeyPermissions, version: ApiVersion): ApiVersion =>
  permissions === null ? version : 'v3.1'

function projectConfigRoutes(api: Api, service: ProjectService): void {
  const presentOrReject = (row: ProjectRow | undefined) => {
    if (!row) throw new ApiError('APIKey_InvalidAPIKey', 'The project was deleted.')
    return presentConfig(row)
  }
  api.on(contract.readProjectConfig, async ({ projectId }) =>
    presentOrReject(await service.project(projectId)),
  )
  api.on(contract.updateProjectConfig, async ({ projectId, body, log }) => {
    const config = presentOrReject(await service.updateConfig(projectId, body))
    if (body.require_mcp_api_key === false)
      log.warn(
        { project_id: projectId },
        'require_mcp_api_key is off: anyone who knows the URL of an MCP server or session of the project ' +
          'calls its tools as any user. Turn it on unless nobody else can reach this server.',
      )
    return config
  })
}

function sessionInfoRoutes(api: Api, deps: ProjectRoutesDeps, service: ProjectService): void {
  api.on(contract.readSessionInfo, async ({ projectId, keyId }) => {
    const [row, key, webhooks] = await Promise.all([
      service.project(projectId),
      service.key(keyId),
      deps.webhooksOf([projectId]),
    ])
    if (!row || !key) throw new ApiError('APIKey_InvalidAPIKey', 'The API key was revoked.')
    const project = {
      ...presentProject(deps, row),
      // Keys with any permission read this, so the secret is masked.
      ...presentWebhook(webhooks.get(row.id), 'v3.1'),
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
        key: maskKey(decryptApiKey(deps.encryptor, key)),
        deleted: false,
      },
      org_member: { id: row.uuid, email: project.email, name: 'Operator', role: 'admin' },
    }
  })
  api.on(contract.readNanoId, async ({ projectId, query }) => {
    return { nanoid: await service.nanoId(projectId, query.uuid, query.type) }
  })
}

function presentProject({ host }: ProjectRoutesDeps, row: ProjectRow): Omit<contract.Project, 'api_keys'> {
  return {
    id: row.id,
    org_id: row.organization_id,
    name: row.name,
    email: `project-${row.auto_id}@${host}`,
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

/** Presents the webhook of a project: its secret in clear on v3, masked on v3.1. */
function presentWebhook(
  webhook: ProjectWebhook | undefined,
  apiVersion: string,
): (ProjectWebhook & Pick<contract.Project, 'is_new_webhook'>) | undefined {
  if (!webhook) return undefined
  const { webhook_secret: secret } = webhook
  return {
    ...webhook,
    webhook_secret: secret === null || apiVersion === 'v3' ? secret : maskKey(secret),
    is_new_webhook: webhook.webhook_version !== 'V1',
  }
}
