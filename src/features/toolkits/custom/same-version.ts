import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import type { ToolkitVersionRow } from './store.ts'

const DAY_MS = 86_400_000

interface NewVersion {
  readonly slug: string
  readonly digest: string
  /** Requested number; undefined for the next one. */
  readonly number: string | undefined
  readonly now: number
}

/**
 * Returns the version that an import would repeat: the newest one, or the one of the requested number. Undefined if the
 * import creates a version.
 * @param versions newest first
 * @throws ApiError 400 if the number has no valid day; 409 if it has other content, or is older than the newest version
 */
export function findSameVersion(
  versions: readonly ToolkitVersionRow[],
  { slug, digest, number, now }: NewVersion,
): ToolkitVersionRow | undefined {
  const [newest] = versions
  if (number === undefined) return newest?.digest === digest ? newest : undefined
  assertDay(number, now)
  const existing = versions.find(({ version }) => version === number)
  if (existing?.digest === digest) return existing
  if (existing)
    throw new ApiError('Toolkit_VersionTaken', `${slug} has a version ${number} with other content.`)
  if (newest && newest.version > number)
    throw new ApiError(
      'Toolkit_VersionTaken',
      `The version ${number} of ${slug} is older than its newest version, ${newest.version}.`,
    )
  return undefined
}

/** A number far in the future would be the base of all later numbers. @throws ApiError 400 */
function assertDay(number: string, now: number): void {
  const day = `${number.slice(0, 4)}-${number.slice(4, 6)}-${number.slice(6, 8)}`
  const time = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
  if (!isDay) throw badRequest(`Error in payload.version: ${day} is not a day`)
  if (time > now + DAY_MS) throw badRequest(`Error in payload.version: ${day} is in the future`)
}
