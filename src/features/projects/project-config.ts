import type { ProjectConfig, ProjectConfigPatch } from '../../contract/projects.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { Principals, ProjectSettings } from '../../platform/http/call.ts'
import { byId } from './store.ts'

/** What a new project starts with; the row stores only what was changed. */
export const CONFIG_DEFAULTS: ProjectConfig = {
  is_2FA_enabled: true,
  logo_url: null,
  display_name: null,
  mask_secret_keys_in_connected_account: true,
  log_visibility_setting: 'show_all',
  require_mcp_api_key: true,
  is_service_link_enabled_for_managed_auth: true,
  signed_url_file_expiry_in_seconds: 3_600,
  event_retention_days: 30,
  identity_verification_url: null,
  mcp_sign_in_url: null,
}
const KEYS = Object.keys(CONFIG_DEFAULTS) as (keyof ProjectConfig)[]

export const effectiveConfig = (stored: Readonly<Record<string, unknown>>): ProjectConfig => ({
  ...CONFIG_DEFAULTS,
  ...stored,
})

/** Known keys only; others of the body are ignored. */
export const knownConfig = (patch: ProjectConfigPatch): Record<string, unknown> =>
  Object.fromEntries(KEYS.filter((key) => patch[key] !== undefined).map((key) => [key, patch[key]]))

export function settingsOf(stored: Readonly<Record<string, unknown>>): ProjectSettings {
  const config = effectiveConfig(stored)
  return {
    checkOwner: config.is_2FA_enabled,
    maskSecrets: config.mask_secret_keys_in_connected_account,
    storePayloads: config.log_visibility_setting === 'show_all',
    fileUrlSeconds: config.signed_url_file_expiry_in_seconds,
  }
}

/** What users see of a project on the pages that they connect accounts on. */
export async function brandingOf(
  db: Db,
  projectId: string,
): Promise<{ displayName: string | null; logoUrl: string | null; verifierUrl: string | null }> {
  const row = await byId(db, projectId)
  const {
    display_name: displayName,
    logo_url: logoUrl,
    identity_verification_url: verifierUrl,
  } = effectiveConfig(row?.config ?? {})
  return { displayName, logoUrl, verifierUrl }
}

/** The project as a caller of its MCP servers that brings no key of it, and as users meet it who sign in for them. */
export async function mcpProject(
  db: Db,
  projectId: string,
): Promise<
  | {
      principal: Principals['project']
      needsKey: boolean
      name: string
      logoUrl: string | null
      signInUrl: string | null
    }
  | undefined
> {
  const row = await byId(db, projectId)
  if (!row) return undefined
  const {
    require_mcp_api_key: needsKey,
    display_name: name,
    logo_url: logoUrl,
    mcp_sign_in_url: signInUrl,
  } = effectiveConfig(row.config)
  return {
    principal: {
      projectId,
      organizationId: row.organization_id,
      keyId: '',
      settings: settingsOf(row.config),
    },
    needsKey,
    name: name ?? row.name,
    logoUrl,
    signInUrl,
  }
}
