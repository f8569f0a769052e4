/** Name of the first release, in every toolkit and for all time. */
export const FIRST_VERSION = '00000000_00'
/** Name of the newest release. */
export const LATEST_VERSION = 'latest'

/** Returns the release that a version name stands for. `versions`: newest first. */
export const releaseName = (versions: readonly [string, ...string[]], version: string): string =>
  version === LATEST_VERSION ? versions[0] : version === FIRST_VERSION ? versions.at(-1)! : version

/** Versions that a request asks for. */
export interface RequestedVersions {
  /** One version for all toolkits, or toolkit slug to version. */
  versions?: string | Readonly<Record<string, string>> | undefined
  /** For toolkits that `versions` does not name: `00000000_00` on v3, `latest` on v3.1. */
  defaultVersion: string
}

/** Returns the version of a toolkit that a request asks for. */
export function versionFor({ versions, defaultVersion }: RequestedVersions, toolkit: string): string {
  if (typeof versions === 'string') return versions
  return versions && Object.hasOwn(versions, toolkit) ? versions[toolkit]! : defaultVersion
}
