import { compileCondition, type ConditionManifest } from '../response/conditions.ts'
import type { PollManifest } from '../../format/index.ts'
import { compilePagination } from '../response/pagination.ts'
import { compilePath } from '../template/paths.ts'
import { compileRequest } from '../request/request.ts'
import type { CompileContext } from '../template/values.ts'
import { compileItemCondition, type ItemPredicate } from './item-conditions.ts'
import { parseTimestamp, TIMESTAMP_WRITERS } from './timestamps.ts'
import type { CompiledPoll, PollDetail, PollPage } from '../../../types/trigger.ts'

/** The name under which requests get the value of the next page. */
export const PAGE_ARGUMENT = 'page'
/** No property of a configuration can have this name: it is for counting, not for requests. */
const SIZE_ARGUMENT = '#size'
const KEY_CHARACTERS_MAX = 1_000

/** Names that the engine supplies to the requests of a poll. */
export const pollRequestNames = ({ page }: PollManifest): readonly string[] => [
  'cursor',
  'since',
  PAGE_ARGUMENT,
  ...Object.keys(page?.also ?? {}),
]

/**
 * Compiles how a trigger polls; what is wrong goes to the context's reporter. The context of details knows
 * their own names too.
 */
export function compilePoll(manifest: PollManifest, context: CompileContext, path: string): CompiledPoll {
  const { key, time, by, cursor, since, interval } = manifest
  const items = compilePath(manifest.items)
  const moment = time === undefined ? undefined : compilePath(time)
  const keys = [key].flat().map(compilePath)
  const condition = (one: unknown) =>
    one === undefined ? undefined : compileCondition(one as ConditionManifest)
  return Object.freeze<CompiledPoll>({
    by,
    request: compileRequest(manifest.request, context, `${path}/request`),
    successWhen: condition(manifest.success_when),
    useToken: manifest.use_token,
    items(body) {
      const list = items(body)
      return Array.isArray(list) ? list : []
    },
    keyOf: (item) => joinKey(keys.map((read) => read(item))),
    timeOf: (item) => moment && parseTimestamp(moment(item)),
    hasTime: moment !== undefined,
    makesEvent: compileItemFilter(manifest),
    page: compilePage(manifest),
    maxPages: manifest.max_pages ?? 10,
    newestFirst: (manifest.order ?? (by === 'cursor' ? 'oldest_first' : 'newest_first')) === 'newest_first',
    cursor: cursor && {
      start: compileRequest(cursor.start.request, context, `${path}/cursor/start/request`),
      first: compilePath(cursor.start.path),
      next: compilePath(cursor.next),
      expired: condition(cursor.expired),
    },
    since: since && {
      overlapMs: (since.overlap_seconds ?? 300) * 1_000,
      write: TIMESTAMP_WRITERS[since.format],
    },
    detail: manifest.detail && compileDetail(manifest.detail, context, `${path}/detail`),
    interval: { default: interval?.default ?? 15, min: interval?.min ?? 1, max: interval?.max ?? 1_440 },
    backFill: manifest.back_fill ?? 0,
  })
}

/** Keys are compared and remembered as text; a list or an object in one is as good as a name. */
function joinKey(parts: readonly unknown[]): string | undefined {
  if (parts.some((part) => part === undefined || part === null || part === '')) return undefined
  return (
    parts.length === 1 && typeof parts[0] === 'string'
      ? parts[0]
      : JSON.stringify(parts.length === 1 ? parts[0] : parts)
  ).slice(0, KEY_CHARACTERS_MAX)
}

function compilePage({ page, items }: PollManifest): PollPage | undefined {
  if (!page) return undefined
  const { size, ...parts } = page
  const paging = compilePagination({
    ...parts,
    items,
    argument: PAGE_ARGUMENT,
    ...(size !== undefined && { size: SIZE_ARGUMENT }),
  })
  return { next: paging.next, constants: size === undefined ? {} : { [SIZE_ARGUMENT]: size } }
}

function compileDetail(
  { arguments: names, request, pick, gone_when }: NonNullable<PollManifest['detail']>,
  context: CompileContext,
  path: string,
): PollDetail {
  const readers = Object.entries(names).map(([name, at]) => [name, compilePath(at)] as const)
  const inner: CompileContext = {
    ...context,
    args: new Set([...context.args, ...readers.map(([name]) => name)]),
  }
  return {
    request: compileRequest(request, inner, `${path}/request`),
    argumentsOf: (item) => Object.fromEntries(readers.map(([name, read]) => [name, read(item)])),
    pick: pick === undefined ? undefined : compilePath(pick),
    goneWhen: gone_when && compileCondition(gone_when as ConditionManifest),
  }
}

function compileItemFilter({ only_when: only = [], skip_when: skip = [] }: PollManifest): ItemPredicate {
  const [holds, excludes] = [only.map(compileItemCondition), skip.map(compileItemCondition)]
  return (item, config) =>
    holds.every((test) => test(item, config)) && !excludes.some((test) => test(item, config))
}
