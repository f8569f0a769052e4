import type { ToolkitImportReport } from '../../contract/toolkits/index.ts'
import { type Io, painter, printable, writeNote } from '../io.ts'
import { type Column, table } from './table.ts'

const SHOWN = 20
const CHANGES: readonly Column[] = [
  { path: 'sign', title: '' },
  { path: 'tool', title: 'tool' },
  { path: 'what', title: 'what changes', isSecondary: true },
]
const SKIPPED: readonly Column[] = [
  { path: 'count', title: 'skipped' },
  { path: 'cause', title: 'cause' },
  { path: 'example', title: 'for example', isSecondary: true },
]

/** Prints the result of an import: counts, causes, and breaking changes first. */
export function printImportReport(io: Io, report: ToolkitImportReport): void {
  const paint = painter(io, io.stdout)
  const line = (text: string) => io.stdout.write(`${text}\n`)
  const { counts } = report
  const state = report.dry_run
    ? 'preview: nothing is saved'
    : report.created
      ? `version ${report.version}`
      : `no changes, version ${report.version}`
  line(`${paint('bold', printable(report.slug))}  ${printable(report.name)}  ${state}`)
  line(
    `${counts.tools} tools of ${counts.operations} operations (${report.type}); sign-in: ` +
      `${report.auth_schemes.join(', ')}`,
  )
  for (const note of report.notes) line(paint('dim', 'note: ' + printable(note)))
  if (report.refused.length > 0)
    io.stdout.write(
      `\n${table(
        io,
        SKIPPED,
        report.refused.map(({ cause, count, examples: [example] }) => ({
          cause,
          count,
          example: example ? `${example.operation}: ${example.reason}` : '',
        })),
      )}`,
    )
  if (report.quarantined.length > 0)
    io.stdout.write(
      `\n${table(
        io,
        [
          { path: 'tool', title: 'not listed' },
          { path: 'reason', title: 'reason', isSecondary: true },
        ],
        report.quarantined,
      )}`,
    )
  if (report.difference) showDifference(io, report.difference)
  if (!report.dry_run && report.created && !report.difference)
    writeNote(io, `Next: patchbay tools list --toolkit-slug ${report.slug}`)
}

function showDifference(
  io: Io,
  { counts, added, removed, changed, toolkit }: NonNullable<ToolkitImportReport['difference']>,
): void {
  const rows = [
    ...toolkit.breaking.map((what) => ({ sign: '!', tool: '(toolkit)', what })),
    ...toolkit.other.map((what) => ({ sign: '~', tool: '(toolkit)', what })),
    ...removed.map((tool) => ({ sign: '-', tool, what: 'removed; calls fail from this version on' })),
    ...changed.map(({ slug, breaking, other }) => ({
      sign: breaking.length > 0 ? '!' : '~',
      tool: slug,
      what: [...breaking, ...other].join(' '),
    })),
    ...added.map((tool) => ({ sign: '+', tool, what: 'new' })),
  ]
  const { added: plus, removed: minus, changed: other, breaking } = counts
  io.stdout.write(
    `\n${plus} added, ${minus} removed, ${other} changed; ` +
      `${breaking === 0 ? 'no breaking changes' : `${breaking} breaking`}\n`,
  )
  if (rows.length > 0) io.stdout.write(table(io, CHANGES, rows.slice(0, SHOWN)))
  if (rows.length > SHOWN) writeNote(io, `${rows.length - SHOWN} more; --json prints all`)
}
