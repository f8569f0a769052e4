import { releasesInMemory, type ToolkitReleases } from '../../query/toolkit-releases.ts'
import type { CompiledToolkit } from '../compile/toolkit.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { checkVersions } from '../lint/versions.ts'
import { compileVersion, reporterFor } from './compile-version.ts'
import type { ToolkitSource } from './read.ts'

/**
 * Validates and compiles all releases of a toolkit, without its generated tools. Returns undefined where a file of the
 * newest release does not fit the format.
 */
export function compileSource(
  source: ToolkitSource,
  diagnostics: Diagnostic[],
): { newest: CompiledToolkit; releases: ToolkitReleases } | undefined {
  const newest = compileVersion(source, source, undefined, diagnostics)
  const older = (source.versions ?? []).map((version) =>
    compileVersion(source, version, version.version, diagnostics),
  )
  if (!newest) return undefined
  const releases = older
    .filter((release) => release !== undefined)
    .sort((a, b) => (a.toolkit.version < b.toolkit.version ? 1 : -1))
  checkVersions(
    newest.toolkit,
    releases.map(({ toolkit }) => toolkit.version),
    reporterFor(`${source.slug}/toolkit.json`, diagnostics),
  )
  return { newest, releases: releasesInMemory([newest, ...releases]) }
}
