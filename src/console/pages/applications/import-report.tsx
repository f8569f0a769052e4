import type { ReplyOf } from '../../../contract/route.ts'
import { schemeName } from '../../../contract/scheme-names.ts'
import type { importToolkit } from '../../../contract/toolkits/index.ts'
import { Card, StatusBadge } from '../../components/index.ts'

export type Report = ReplyOf<typeof importToolkit>

const TOOLS_SHOWN_MAX = 30

/** What an import makes of a document: the tools, what is skipped and why, and what changes for users. */
export const ImportReport = ({ report }: { report: Report }) => (
  <Card title={report.dry_run ? `Preview of ${report.name}` : `${report.name} is imported`}>
    <p aria-live="polite">
      {`${report.counts.tools} tools of ${report.counts.operations} operations. `}
      {report.counts.refused > 0 && `${report.counts.refused} operations are skipped. `}
      {`Sign-in: ${report.auth_schemes.map(schemeName).join(', ') || 'none'}.`}
    </p>
    {report.difference && <Difference difference={report.difference} />}
    {report.refused.length > 0 && (
      <details>
        <summary>Skipped operations</summary>
        <ul>
          {report.refused.map(({ cause, count, examples }) => (
            <li key={cause}>
              {`${count} × ${examples[0]?.reason ?? cause}`}{' '}
              <span className="hint">{examples.map(({ operation }) => operation).join(', ')}</span>
            </li>
          ))}
        </ul>
      </details>
    )}
    {report.notes.map((note) => (
      <p key={note} className="hint">
        {note}
      </p>
    ))}
    <details open={report.tools.length <= TOOLS_SHOWN_MAX}>
      <summary>Tools</summary>
      <ul>
        {report.tools.slice(0, TOOLS_SHOWN_MAX).map((tool) => (
          <li key={tool}>
            <code>{tool}</code>
          </li>
        ))}
        {report.tools.length > TOOLS_SHOWN_MAX && <li>{`${report.tools.length - TOOLS_SHOWN_MAX} more`}</li>}
      </ul>
    </details>
  </Card>
)

function Difference({ difference }: { difference: NonNullable<Report['difference']> }) {
  const { counts, changed, toolkit, removed } = difference
  const breaking = [
    ...toolkit.breaking,
    ...removed.map((slug) => `${slug} is removed`),
    ...changed.flatMap((tool) => tool.breaking.map((text) => `${tool.slug}: ${text}`)),
  ]
  return (
    <>
      <p>
        {`Compared with the current version: ${counts.added} added, ` +
          `${counts.changed} changed, ${counts.removed} removed.`}
      </p>
      {breaking.length > 0 && (
        <>
          <StatusBadge status="FAILED" label={`${breaking.length} breaking changes`} />
          <ul>
            {breaking.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
