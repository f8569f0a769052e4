import type { Pack } from './packs.ts'
import type { InstanceToolkit } from '../../features/toolkits/custom/index.ts'
import type { AddResult } from './add-pack.ts'

export function statusOf({ name, version, documents, description }: Pack, there: readonly InstanceToolkit[]) {
  const sum = (of: (one: InstanceToolkit) => number) => there.reduce((all, one) => all + of(one), 0)
  return {
    catalogue: name,
    version,
    description,
    documents,
    toolkits: there.length,
    tools: sum(({ tools }) => tools),
    bytes: sum(({ size }) => size),
    used: there.filter(({ used }) => used).length,
    // Toolkits of other releases of the package.
    older: there.filter(({ address }) => !address.includes(`@${version}/`)).length,
    newest: there.reduce<string | null>(
      (latest, { created_at: at }) =>
        latest === null || at.toISOString() > latest ? at.toISOString() : latest,
      null,
    ),
  }
}

export function statusText({
  catalogue,
  version,
  description,
  documents,
  toolkits,
  tools,
  bytes,
  used,
  older,
  newest,
}: ReturnType<typeof statusOf>): string {
  const lines = [`${catalogue} ${version}: ${description}`]
  if (toolkits === 0) lines.push(`  not added. → patchbay catalog add ${catalogue}`)
  else {
    lines.push(
      `  ${counted(toolkits, 'toolkit')} of ${counted(documents, 'document')}, ` +
        `${counted(tools, 'tool')}, ${(bytes / 1e6).toFixed(1)} MB in the database, last stored ` +
        `${newest?.slice(0, 16).replace('T', ' ')} UTC`,
    )
    if (used > 0) lines.push(`  ${counted(used, 'toolkit')} with auth configs`)
    if (older > 0)
      lines.push(`  ${counted(older, 'toolkit')} of an older release. → patchbay catalog add ${catalogue}`)
  }
  return lines.map((line) => `  ${line}`).join('\n')
}

export function addedText(
  { name }: Pack,
  { documents, added, changed, unchanged, skipped, tools, left, rejected, interrupted }: AddResult,
  seconds: number,
): string {
  const parts = [
    added > 0 && `${counted(added, 'toolkit')} added`,
    changed > 0 && `${counted(changed, 'toolkit')} with a new version`,
    unchanged > 0 && `${counted(unchanged, 'toolkit')} unchanged`,
    skipped > 0 && `${counted(skipped, 'toolkit')} already stored`,
  ].filter(Boolean)
  const lines = [
    `${parts.join(', ') || 'Nothing to add'}: ${counted(documents, 'API')}, ${counted(tools, 'tool')} ` +
      `made in ${seconds} s.`,
  ]
  if (left > 0)
    lines.push(`${counted(left, 'operation')} skipped: ${left === 1 ? 'it' : 'they'} cannot become tools.`)
  if (rejected.length > 0)
    lines.push(
      `${counted(rejected.length, 'document')} cannot become toolkits:`,
      ...rejected.slice(0, 12).map(({ document, reason }) => `  ${document}: ${reason.slice(0, 140)}`),
      ...(rejected.length > 12 ? [`  and ${rejected.length - 12} more; --json lists all`] : []),
    )
  lines.push(
    interrupted
      ? `Stopped before the end. → Run \`patchbay catalog add ${name}\` again to continue.`
      : 'Running servers load them automatically, within a minute or two.',
  )
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`
}

export const counted = (count: number, what: string) =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
export const some = (slugs: readonly string[]) =>
  `${slugs.slice(0, 10).join(', ')}${slugs.length > 10 ? ` and ${slugs.length - 10} more` : ''}`
