import { propertiesOf } from '../json-schema.ts'
import type { PaginationManifest } from '../format/pagination.ts'
import type { ToolManifest } from '../format/index.ts'
import type { DiagnosticReporter } from '../diagnostics.ts'
import type { JsonSchema } from '../../types/index.ts'
import { checkValuePattern } from './value-pattern.ts'

type PaginationKind = PaginationManifest['by']
type Key = keyof PaginationManifest

/** The keys that each kind of pagination may have in addition to the common keys. */
const FIELDS_BY_KIND: Readonly<Record<PaginationKind, readonly Key[]>> = {
  cursor: ['next', 'next_header', 'pattern', 'size'],
  link: ['next', 'parameter', 'also', 'size'],
  last_item: ['item_key', 'size'],
  page: ['first', 'size', 'pages'],
  offset: ['size', 'total'],
}
const COMMON_FIELDS: readonly Key[] = ['by', 'argument', 'items', 'tool', 'more', 'last']

/**
 * Checks the rules of pagination that a schema cannot express. `tools` are those of the same version, by
 * slug.
 */
export function checkPagination(
  tool: ToolManifest,
  tools: ReadonlyMap<string, ToolManifest>,
  path: string,
  report: DiagnosticReporter,
): void {
  const paging = tool.pagination
  if (!paging) return
  const { by, argument, size, items, tool: further } = paging
  checkPageFields({ ...paging, size: size !== undefined }, path, report)
  if (tool.effect !== 'read')
    report.add(path, `is only for tools with the effect \`read\`; this one has \`${tool.effect}\`.`)
  if (by === 'link' && paging.next === undefined && tool.run)
    report.add(path, 'a code tool has no `Link` header. Declare in `next` where the URL is.')
  const reader = further === undefined ? tool : tools.get(further)
  if (!reader) report.add(`${path}/tool`, `\`${further}\` is not a tool of this toolkit.`)
  else if (!argumentNames(reader).has(argument))
    report.add(
      `${path}/argument`,
      `\`${argument}\` is not a property of the input${further ? ` of ${further}` : ''}.`,
    )
  if (further !== undefined && by !== 'cursor' && by !== 'link')
    report.add(
      `${path}/tool`,
      'another tool needs a value from the response: use `"by": "cursor"` or `"link"`.',
    )
  for (const name of Object.keys(paging.also ?? {}))
    if (reader && !argumentNames(reader).has(name))
      report.add(`${path}/also`, `\`${name}\` is not a property of the input.`)
  if (size !== undefined && !argumentNames(tool).has(size))
    report.add(`${path}/size`, `\`${size}\` is not a property of the input.`)
  const top = items.split(/[.[]/)[0] as string
  const known = Object.keys(propertiesOf(tool.output as JsonSchema))
  if (items !== '$' && known.length > 0 && !known.includes(top))
    report.add(
      `${path}/items`,
      `\`${top}\` is not a property of the output, which has ${known.slice(0, 12).join(', ')}.`,
    )
  if (items === '$')
    report.add(
      `${path}/items`,
      'a list that is the whole response is in a key of `data`. Write `items`, or the name in ' +
        '`response.wrap`.',
    )
}

/** What holds for a list of a tool and for one that a trigger reads alike. */
export function checkPageFields(
  paging: Omit<Partial<PaginationManifest>, 'by' | 'size'> & { by: PaginationKind; size?: unknown },
  path: string,
  report: DiagnosticReporter,
): void {
  const { by } = paging
  for (const [key, value] of Object.entries(paging) as [Key, unknown][]) {
    if (
      value !== undefined &&
      value !== false &&
      !COMMON_FIELDS.includes(key) &&
      !FIELDS_BY_KIND[by].includes(key)
    )
      report.add(
        `${path}/${key}`,
        `is not used by \`"by": "${by}"\`, which has ${FIELDS_BY_KIND[by].join(', ')}.`,
      )
  }
  if (by === 'cursor' && (paging.next === undefined) === (paging.next_header === undefined))
    report.add(path, 'declare where the value for the next call is: either `next` or `next_header`.')
  if (
    (by === 'page' || by === 'offset') &&
    !paging.more &&
    !paging.last &&
    !paging.size &&
    !paging.pages &&
    !paging.total
  )
    report.add(
      path,
      'declare how the last page is recognized: one of `size`, `more`, `last`, `pages`, `total`.',
    )
  if (paging.pattern !== undefined) checkValuePattern(paging.pattern, {}, `${path}/pattern`, report)
}

const argumentNames = (tool: ToolManifest): ReadonlySet<string> =>
  new Set(Object.keys(propertiesOf(tool.input as JsonSchema)))
