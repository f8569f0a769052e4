import { type FoundTool, namesTool, type Paging } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Connection, EngineDeps, Execution, PagesRead, Result } from '../types.ts'
import type { RunMcp } from './run-mcp.ts'
import { runTool } from './run-tool.ts'

/** What all pages together may have, as they were sent. */
const BYTES_MAX = 10 * 1024 * 1024

type Run = (execution: Execution, found: FoundTool) => Promise<Result>

/**
 * Runs a tool that lists, page after page, as its manifest says that the list goes on, until the end or a bound. Items of all pages stand where those of one
 * stand; everything else is as the last page has it. A page that cannot be read ends it: what was read before is kept.
 * @throws ApiError 400 for a tool that has no pages
 */
export async function readPages(
  deps: EngineDeps,
  execution: Execution,
  found: FoundTool,
  connection: Connection,
  runMcp: RunMcp,
): Promise<Result> {
  const { pagination, slug } = found.tool
  const { paging: bounds } = execution
  if (!pagination)
    throw badRequest(
      `Error in payload.paging: ${slug} answers no list that goes on page by page. Call it without \`paging\`.`,
    )
  const run: Run = (one, tool) => runTool(deps, one, tool, connection, runMcp)
  const first = await run(execution, found)
  if (!first.successful || !bounds) return first
  const further =
    pagination.tool === undefined ? found : furtherTool(deps, found, pagination.tool, connection)
  let reading: { paging: Paging; args: Record<string, unknown>; result: Result } = {
    paging: pagination,
    args: execution.arguments,
    result: first,
  }
  const items = [...pagination.items(first.data)]
  const asked = new Set<string>()
  let bytes = sizeOf(first)
  const read: PagesRead = {
    pages: 1,
    items: items.length,
    complete: false,
    next: nextOf(reading),
    stopped_by: null,
  }
  while (read.next) {
    const key = JSON.stringify(read.next)
    read.stopped_by = !further
      ? 'not_allowed'
      : asked.has(key)
        ? 'repetition'
        : read.pages >= bounds.maxPages
          ? 'max_pages'
          : read.items >= bounds.maxItems
            ? 'max_items'
            : bytes >= BYTES_MAX
              ? 'size'
              : null
    if (read.stopped_by || !further) break
    asked.add(key)
    const next = typed(read.next, further)
    const args = further === found ? { ...execution.arguments, ...next } : next
    const follows =
      further === found ||
      (await deps.guard?.letsFollow({
        catalog: deps.catalog,
        execution,
        found: further,
        connection,
        logId: execution.run?.key ?? '',
        arguments: args,
        isProxy: false,
      }))
    if (follows === false) {
      read.stopped_by = 'not_allowed'
      break
    }
    const result = await pageOr(run({ ...execution, arguments: args }, further))
    if (!result.successful) {
      Object.assign(read, { stopped_by: 'error', error: result.error })
      break
    }
    reading = { paging: further.tool.pagination ?? pagination, args, result }
    const more = reading.paging.items(result.data)
    for (const item of more) items.push(item)
    bytes += sizeOf(result)
    Object.assign(read, { pages: read.pages + 1, items: items.length, next: nextOf(reading) })
  }
  read.complete = read.next === null
  return { ...first, data: withItems(reading.result.data, reading.paging.itemsPath, items), paging: read }
}

function nextOf({
  paging,
  args,
  result,
}: {
  paging: Paging
  args: Record<string, unknown>
  result: Result
}): Record<string, unknown> | null {
  return (
    paging.next({
      args,
      data: result.data,
      items: paging.items(result.data),
      headers: result.headers ?? {},
    }) ?? null
  )
}

/** What never reached the application ends the reading, as a refusal does. */
async function pageOr(page: Promise<Result>): Promise<Result> {
  try {
    return await page
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { data: {}, error: error.message, successful: false, statusCode: null }
  }
}

/** Undefined when the auth config does not allow it, or this version does not have it. */
function furtherTool(
  { catalog }: EngineDeps,
  { version }: FoundTool,
  slug: string,
  connection: Connection,
): FoundTool | undefined {
  const found = catalog.tool(slug, version)
  const allowed = connection.kind === 'account' ? connection.account.allowedTools : []
  return found && (allowed.length === 0 || namesTool(catalog, allowed, found.tool, version))
    ? found
    : undefined
}

/** A number that an address or a header held as text, where the tool wants a number. */
function typed(next: Readonly<Record<string, unknown>>, { tool }: FoundTool): Record<string, unknown> {
  const properties = (tool.input['properties'] ?? {}) as Record<string, { type?: unknown } | undefined>
  return Object.fromEntries(
    Object.entries(next).map(([name, value]) => {
      const types = [properties[name]?.type].flat()
      return [
        name,
        typeof value === 'string' &&
        /^\d{1,15}$/.test(value) &&
        types.includes('integer') &&
        !types.includes('string')
          ? Number(value)
          : value,
      ]
    }),
  )
}

const sizeOf = ({ bytes, data }: Result): number => bytes ?? JSON.stringify(data).length

/** A copy of `data` with another list at the path of the items. */
function withItems(data: unknown, path: string, items: readonly unknown[]): Record<string, unknown> {
  const steps = [...path.matchAll(/\['([^'\]]+)'\]|([^.[\]]+)|\[(\d+)\]/g)].map(
    ([, quoted, key, index]) => quoted ?? key ?? Number(index),
  )
  const set = (value: unknown, [step, ...rest]: readonly (string | number)[]): unknown => {
    if (step === undefined) return items
    if (Array.isArray(value)) return value.map((one, index) => (index === step ? set(one, rest) : one))
    const members = (value !== null && typeof value === 'object' ? value : {}) as Record<string, unknown>
    return { ...members, [step]: set(Object.hasOwn(members, step) ? members[step] : undefined, rest) }
  }
  return set(data, steps) as Record<string, unknown>
}
