import {
  type AuthSchemeManifest,
  type Catalog,
  type CompiledScheme,
  hasChosenAuthorizationServer,
  schemeFieldGroups,
  type OAuth2Manifest,
  type Toolkit,
} from '../../catalog/index.ts'
import type { ApiVersion } from '../../contract/route.ts'
import type * as contract from '../../contract/toolkits/index.ts'
import { stableUuid } from '../../platform/ids.ts'
import { providerDetails } from './provider-details.ts'

export interface ToolkitPresenterDeps {
  publicUrl: string
  /** Schemes for which the administrator configured managed credentials. */
  managedSchemes(toolkit: string): readonly string[]
}

/** Presents toolkits of the catalogue. */
export function toolkitPresenter(deps: ToolkitPresenterDeps) {
  const { publicUrl, managedSchemes } = deps
  return {
    logo: (slug: string) => logoUrl(publicUrl, slug),

    summary: (catalog: Catalog, toolkit: Toolkit, apiVersion: ApiVersion): contract.ToolkitSummary => ({
      ...presentBase(deps, toolkit, apiVersion),
      deprecated: { toolkitId: legacyToolkitId(toolkit.slug) },
      meta: presentMeta(deps, catalog, toolkit),
    }),

    /** `version` is the name that the caller can continue to use: the first snapshot keeps its name. */
    full(
      catalog: Catalog,
      toolkit: Toolkit,
      version: string,
      { apiVersion, isDenied }: { apiVersion: ApiVersion; isDenied: boolean },
    ): contract.Toolkit {
      const { identity } = toolkit
      const schemes = toolkit.schemes.map((scheme) => presentScheme(toolkit, scheme, publicUrl))
      return {
        ...presentBase(deps, toolkit, apiVersion),
        enabled: !isDenied,
        auth_config_details: schemes,
        service_managed_auth: managedSchemesOf(toolkit, managedSchemes).map((mode) => ({
          mode,
          scopes: { available: scopesOf(toolkit, mode) },
        })),
        base_url: toolkit.baseUrl?.source ?? '',
        get_current_user_endpoint: identity?.path ?? '',
        get_current_user_endpoint_method: identity?.method ?? 'GET',
        meta: presentMeta(deps, catalog, toolkit, version),
        deprecated: {
          toolkitId: legacyToolkitId(toolkit.slug),
          getCurrentUserEndpoint: identity?.path ?? '',
          rawProxyInfoByAuthSchemes: schemes.map(({ mode, proxy }) => ({ auth_mode: mode, proxy })),
        },
      }
    },
  }
}

const logoUrl = (publicUrl: string, slug: string): string => `${publicUrl}/logos/${slug}.svg`

function presentBase({ managedSchemes }: ToolkitPresenterDeps, toolkit: Toolkit, apiVersion: ApiVersion) {
  const managed = managedSchemesOf(toolkit, managedSchemes)
  return {
    slug: toolkit.slug,
    name: toolkit.name,
    auth_schemes: [...toolkit.schemeModes],
    service_managed_auth_schemes:
      apiVersion === 'v3' ? managed.map((scheme) => scheme.toLowerCase()) : [...managed],
    is_local_toolkit: toolkit.local,
    no_auth: toolkit.noAuth,
    type: toolkit.origin === 'project' ? 'custom' : 'native',
    auth_guide_url: toolkit.docsUrl ?? null,
  }
}

function presentMeta(
  { publicUrl }: ToolkitPresenterDeps,
  catalog: Catalog,
  toolkit: Toolkit,
  version = toolkit.version,
) {
  return {
    created_at: toolkit.createdAt,
    updated_at: toolkit.updatedAt,
    description: toolkit.description,
    logo: logoUrl(publicUrl, toolkit.slug),
    app_url: toolkit.appUrl ?? '',
    categories: toolkit.categories.map(presentCategory),
    triggers_count: toolkit.triggerCount,
    tools_count: toolkit.toolCount,
    version,
    available_versions: [...catalog.availableVersions(toolkit.slug)],
  }
}

/** Managed schemes of a toolkit; none for a custom toolkit of a project with the same slug. */
export const managedSchemesOf = (
  toolkit: Toolkit,
  managedSchemes: ToolkitPresenterDeps['managedSchemes'],
): readonly string[] => (toolkit.origin === 'project' ? [] : managedSchemes(toolkit.slug))

export const presentCategory = ({ id, name }: { id: string; name: string }) => ({ id, slug: id, name })

function presentScheme(
  toolkit: Toolkit,
  scheme: CompiledScheme,
  publicUrl: string,
): contract.Toolkit['auth_config_details'][number] {
  const { manifest } = scheme
  const details = providerDetails(manifest)
  const fields = schemeFieldGroups(manifest)
  const redirectUri = redirectUriOf(toolkit, manifest, publicUrl)
  return {
    mode: scheme.mode,
    name: manifest.name ?? scheme.mode,
    fields: {
      auth_config_creation: {
        required: [...fields.auth_config_creation.required],
        optional: fields.auth_config_creation.optional.map((field) =>
          field.name === 'oauth_redirect_uri' ? { ...field, default: redirectUri } : field,
        ),
      },
      connected_account_initiation: {
        required: [...fields.connected_account_initiation.required],
        optional: [...fields.connected_account_initiation.optional],
      },
    },
    proxy: { base_url: (scheme.baseUrl ?? toolkit.baseUrl)?.source ?? '' },
    ...(details && { deprecated_auth_provider_details: details }),
    ...(manifest.hint_url ? { auth_hint_url: manifest.hint_url } : {}),
  }
}

/** Returns the redirect URI of a scheme; `{auth_config_id}` in it is not known yet. */
export function redirectUriOf(toolkit: Toolkit, manifest: AuthSchemeManifest, publicUrl: string): string {
  const url = callbackUrl(publicUrl)
  if (manifest.scheme === 'OAUTH2' && manifest.callback?.state_from) return `${url}/${toolkit.slug}`
  return hasChosenAuthorizationServer(toolkit, manifest) ? `${url}/{auth_config_id}` : url
}

/** Default redirect URI, unless an auth config sets another or has its own. */
export const callbackUrl = (publicUrl: string): string => `${publicUrl}/api/v3/toolkits/auth/callback`

function scopesOf(toolkit: Toolkit, mode: string): string[] {
  const scopes = (
    toolkit.schemes.find((scheme) => scheme.mode === mode)?.manifest as OAuth2Manifest | undefined
  )?.scopes
  return [...(scopes?.available ?? scopes?.default ?? [])]
}

/** The UUID of a toolkit, for legacy fields of the API. */
export const legacyToolkitId = (slug: string): string => stableUuid(`toolkit:${slug}`)
