import * as contract from '../../../contract/projects/index.ts'
import { type Encryptor, maskKey } from '../../../platform/crypto/index.ts'
import type { Api } from '../../../platform/http/call.ts'
import type { projectService } from '../service.ts'
import { decryptApiKey } from './keys.ts'
import type { ApiKeyRow } from './store.ts'

type Deps = Readonly<{ encryptor: Encryptor }>

export function keyRoutes(api: Api, deps: Deps, service: ReturnType<typeof projectService>): void {
  projectKeyRoutes(api, deps, service)
  organizationKeyRoutes(api, deps, service)
}

function projectKeyRoutes(api: Api, deps: Deps, service: ReturnType<typeof projectService>): void {
  api.on(contract.regenerateProjectKey, async ({ organizationId, params }) => {
    const { id, name, key, row } = await service.regenerateKey(organizationId, projectIdOf(params))
    return {
      api_key: { id, name, key, created_at: row.created_at.toISOString() },
      message: 'All earlier API keys of the project are revoked.',
    }
  })
  api.on(contract.createProjectKey, async ({ organizationId, params, body }) => {
    const { key, row } = await service.createKey(organizationId, projectIdOf(params), body)
    return { ...presentScopedKey(deps, row), key }
  })
  api.on(contract.rotateProjectKey, async ({ organizationId, params, body }) => {
    const { key, row } = await service.rotateKey(organizationId, projectIdOf(params), params.key_id, body)
    return { ...presentScopedKey(deps, row), key }
  })
  api.on(contract.listProjectKeys, async ({ organizationId, params }) => ({
    items: (await service.listKeys(organizationId, projectIdOf(params))).map((row) =>
      presentScopedKey(deps, row),
    ),
  }))
  api.on(contract.deleteProjectKey, async ({ organizationId, params }) => {
    await service.removeKey(organizationId, projectIdOf(params), params.key_id)
    return { success: true }
  })
}

function organizationKeyRoutes(api: Api, deps: Deps, service: ReturnType<typeof projectService>): void {
  api.on(contract.createOrganizationKey, async ({ organizationId, body }) => {
    const { key, row } = await service.createKey(organizationId, null, body)
    return { ...presentScopedKey(deps, row), key }
  })
  api.on(contract.rotateOrganizationKey, async ({ organizationId, params, body }) => {
    const { key, row } = await service.rotateKey(organizationId, null, params.key_id, body)
    return { ...presentScopedKey(deps, row), key }
  })
  api.on(contract.listOrganizationKeys, async ({ organizationId }) => ({
    items: (await service.listKeys(organizationId, null)).map((row) => presentScopedKey(deps, row)),
  }))
  api.on(contract.deleteOrganizationKey, async ({ organizationId, params }) => {
    await service.removeKey(organizationId, null, params.key_id)
    return { success: true }
  })
}

/** Presents a key: in clear on v3, masked on v3.1. */
export function presentKey({ encryptor }: Deps, row: ApiKeyRow, apiVersion: string) {
  const key = decryptApiKey(encryptor, row)
  return {
    id: row.id,
    name: row.name,
    key: apiVersion === 'v3' ? key : maskKey(key),
    created_at: row.created_at.toISOString(),
  }
}

function presentScopedKey(deps: Deps, row: ApiKeyRow): contract.ScopedApiKey {
  return {
    ...presentKey(deps, row, 'v3.1'),
    permissions: row.permissions,
    allowed_ips: row.allowed_ips,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    replaced_by: row.replaced_by,
  }
}

/** Normalizes the prefix of a project ID: clients send `pr_` and `proj_`; this server stores `proj_`. */
export const projectIdOf = ({ nano_id: id }: { nano_id: string }): string => id.replace(/^pr_/, 'proj_')
