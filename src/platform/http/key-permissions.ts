import type { Permission } from '../../contract/route.ts'
import { ApiError } from './api-error.ts'

/** The permissions of a project key: levels by area. Null for a key without restrictions. */
export type KeyPermissions = Readonly<Record<string, readonly string[]>> | null

export const hasPermission = (permissions: KeyPermissions, { area, level }: Permission): boolean =>
  permissions === null || Boolean(permissions[area]?.includes(level))

/**
 * Rejects a restricted key, for operations that need an unrestricted one only in some cases.
 * @param action what the key may not do, after "This key cannot"
 * @throws ApiError 403 APIKey_InsufficientPermissions
 */
export function requireUnrestrictedKey(permissions: KeyPermissions, action: string): void {
  if (permissions !== null)
    throw new ApiError(
      'APIKey_InsufficientPermissions',
      `This key cannot ${action}: only a project key without restrictions can.`,
    )
}
