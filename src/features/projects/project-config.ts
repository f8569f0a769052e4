import type { ProjectConfig, ProjectConfigPatch } from '../../contract/projects/index.ts'
import type { Db } from '../../platform/db/sql.ts'
import type { ProjectSettings } from '../../contract/projects/call-settings.ts'
import type { Principals } from '../../platform/http/call.ts'
import { findProjectWithOrganization, type ProjectRow } from './store.ts'

/** Settings in the column `config`. The statements that claim polls read `triggers_enabled`, which is a column. */
type StoredConfig = Omit<ProjectConfig, 'triggers_enabled'>

/** Default settings. The row of a project stores only changed settings. */
export const CONFIG_DEFAULTS: StoredConfig = {
  is_2FA_enabled: false,
  logo_url: null,
  display_name: null,
  accent_color: null,
  support_url: null,
  privacy_url: null,
  mask_secret_keys_in_connected_account: true,
  log_visibility_setting: 'show_all',
  require_mcp_api_key: true,
  is_service_link_enabled_for_managed_auth: true,
  signed_url_file_expiry_in_seconds: 3_600,
  event_retention_days: 30,
  rank_tools_by_use: true,
  v3_parameter_format: null,
  identity_verification_url: null,
  mcp_sign_in_url: null,
}
const KEYS = Object.keys(CONFIG_DEFAULTS) as (keyof StoredConfig)[]
/** The longest time that a signed URL of an S3 store can be valid. */
const FILE_URL_SECONDS_MAX = 604_800

export const effectiveConfig = (stored: Readonly<Record<string, unknown>>): StoredConfig => ({
  ...CONFIG_DEFAULTS,
  ...stored,
})

/** Returns all settings of a project. */
export const presentConfig = (row: Pick<ProjectRow, 'config' | 'triggers_enabled'>): ProjectConfig => ({
  ...effectiveConfig(row.config),
  triggers_enabled: row.triggers_enabled,
})

/** Picks the known settings of a patch; others are ignored. */
export const pickKnownSettings = (patch: ProjectConfigPatch): Record<string, unknown> =>
  Object.fromEntries(KEYS.filter((key) => patch[key] !== undefined).map((key) => [key, patch[key]]))

export function projectSettings(stored: Readonly<Record<string, unknown>>): ProjectSettings {
  const config = effectiveConfig(stored)
  return {
    checkOwner: config.is_2FA_enabled,
    maskSecrets: config.mask_secret_keys_in_connected_account,
    ranksByUse: config.rank_tools_by_use,
    storePayloads: config.log_visibility_setting === 'show_all',
    fileUrlSeconds: Math.min(Math.ceil(config.signed_url_file_expiry_in_seconds), FILE_URL_SECONDS_MAX),
    v3ParameterFormat: config.v3_parameter_format ?? undefined,
  }
}

/** Branding of a project on the pages where users connect accounts. */
export async function findProjectBranding(
  db: Db,
  projectId: string,
): Promise<{
  displayName: string | null
  logoUrl: string | null
  verifierUrl: string | null
  theme: { accentColor: string | null; supportUrl: string | null; privacyUrl: string | null }
}> {
  const row = await findProjectWithOrganization(db, projectId)
  const {
    display_name: displayName,
    logo_url: logoUrl,
    identity_verification_url: verifierUrl,
    accent_color: accentColor,
    support_url: supportUrl,
    privacy_url: privacyUrl,
  } = effectiveConfig(row?.config ?? {})
  const theme = { accentColor, supportUrl, privacyUrl }
  return { displayName: displayName ?? row?.name ?? null, logoUrl, verifierUrl, theme }
}

/**
 * Settings of a project for its MCP servers: the principal of callers without an API key, and the sign-in
 * page.
 */
export async function findMcpProject(
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
  const row = await findProjectWithOrganization(db, projectId)
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
      settings: projectSettings(row.config),
      // Only API keys have permissions.
      permissions: {},
    },
    needsKey,
    name: name ?? row.name,
    logoUrl,
    signInUrl,
  }
}
