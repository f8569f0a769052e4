import type { Toolkit } from '../../types/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'

/**
 * Checks the folders of `versions/` against the list of releases. The first release must stay, since it is
 * also served as `00000000_00`; those between may be removed.
 */
export function checkVersions(
  current: Pick<Toolkit, 'version' | 'releases'>,
  folders: readonly string[],
  report: DiagnosticReporter,
): void {
  const releases = new Set(current.releases.map(({ version }) => version))
  const first = current.releases.at(-1)!.version
  if (first !== current.version && !folders.includes(first))
    report.add('/releases', `the files of the first release are missing. Put them into versions/${first}/.`)
  for (const version of folders) {
    if (version === current.version)
      report.add(
        '/releases',
        `versions/${version} is the newest release, whose files are those of the folder itself. Remove it.`,
      )
    else if (!releases.has(version))
      report.add('/releases', `versions/${version} is not a release. List it in \`releases\`, or remove it.`)
  }
}
