import {
  type CatalogOf,
  describeMissingTriggerType,
  LATEST_VERSION,
  type ResolvedTrigger,
} from '../../../catalog/index.ts'
import { ApiError } from '../../../platform/http/api-error.ts'

export interface TriggerVersion {
  name: string
  /** Whether the caller named it. */
  isNamed: boolean
}

type RequestedVersions = string | Readonly<Record<string, string>> | undefined

/** Finds a trigger type in the version that the caller requests. @throws ApiError TriggerType_NotFound */
export async function findTriggerType(
  catalogOf: CatalogOf,
  projectId: string,
  slug: string,
  versions: RequestedVersions,
): Promise<{ found: ResolvedTrigger; version: TriggerVersion }> {
  const catalog = await catalogOf(projectId)
  const latest =
    catalog.trigger(slug, LATEST_VERSION) ??
    (typeof versions === 'string' ? catalog.trigger(slug, versions) : undefined)
  const toolkit = latest?.toolkit.slug
  const requested = requestedVersion(versions, toolkit)
  const found = catalog.trigger(slug, requested ?? LATEST_VERSION)
  if (!found) {
    const isOtherVersion = requested !== undefined && toolkit !== undefined
    throw new ApiError(
      'TriggerType_NotFound',
      isOtherVersion
        ? `Trigger type ${slug.toUpperCase()} not found in version ${requested}`
        : describeMissingTriggerType(catalog, slug),
    )
  }
  return { found, version: { name: requested ?? LATEST_VERSION, isNamed: requested !== undefined } }
}

function requestedVersion(versions: RequestedVersions, toolkit: string | undefined): string | undefined {
  if (typeof versions === 'string') return versions
  if (toolkit === undefined || !versions) return undefined
  return Object.entries(versions).find(([name]) => name.toLowerCase() === toolkit)?.[1]
}
