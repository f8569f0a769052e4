import type { Difference, PreparedOutcome } from '../../../catalog/importers/worker/index.ts'
import { LISTED_MAX } from '../../../catalog/importers/versions/index.ts'
import type { ToolkitImportReport } from '../../../contract/toolkits/index.ts'
import type { StoredToolkit } from '../custom/index.ts'

const LIST_MAX = 100
const EXAMPLES_MAX = 3
const TEXT_MAX = 600

/** Summarizes the result of an import. */
export function reportOf(
  { kind, version: { toolkit, tools, quarantined, report } }: PreparedOutcome,
  result: Omit<StoredToolkit, 'version'> & { readonly version: string | null },
  dryRun: boolean,
): ToolkitImportReport {
  const byCause = Map.groupBy(report.refused, ({ cause }) => cause ?? 'manifest')
  return {
    slug: toolkit.slug,
    name: toolkit.name,
    type: kind,
    version: result.version,
    created: result.created,
    dry_run: dryRun,
    auth_schemes: toolkit.auth.map(({ scheme }) => scheme),
    counts: {
      operations: report.operations,
      tools: tools.length,
      refused: report.refused.length,
      quarantined: quarantined.length,
    },
    tools: tools.slice(0, LIST_MAX),
    refused: [...byCause]
      .map(([cause, all]) => ({
        cause,
        count: all.length,
        examples: all.slice(0, EXAMPLES_MAX).map(({ operation, reason }) => ({
          operation: operation.slice(0, TEXT_MAX),
          reason: (reason ?? '').slice(0, TEXT_MAX),
        })),
      }))
      .sort((a, b) => b.count - a.count),
    quarantined: quarantined
      .slice(0, LIST_MAX)
      .map(({ slug, reason }) => ({ tool: slug, reason: reason.slice(0, TEXT_MAX) })),
    notes: report.notes.slice(0, LIST_MAX),
    difference: result.difference ? differenceReport(result.difference) : null,
  }
}

/** Summarizes the changes; breaking ones come first. */
function differenceReport({
  added,
  removed,
  changed,
  toolkit,
}: Difference): NonNullable<ToolkitImportReport['difference']> {
  const shorten = (changes: { readonly breaking: readonly string[]; readonly other: readonly string[] }) => ({
    breaking: changes.breaking.slice(0, LISTED_MAX.changes),
    other: changes.other.slice(0, LISTED_MAX.changes),
  })
  const breaking = changed.filter((one) => one.breaking.length > 0)
  return {
    counts: {
      added: added.length,
      removed: removed.length,
      changed: changed.length,
      breaking: breaking.length + removed.length + (toolkit.breaking.length > 0 ? 1 : 0),
    },
    added: added.slice(0, LIST_MAX),
    removed: removed.slice(0, LIST_MAX),
    changed: [...breaking, ...changed.filter((one) => one.breaking.length === 0)]
      .slice(0, LISTED_MAX.tools)
      .map((one) => ({ slug: one.slug, ...shorten(one) })),
    toolkit: shorten(toolkit),
  }
}
