import { type CompiledPagination, listIncludesTool, type ResolvedTool } from '../../catalog/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { UNCHANGED, type Unchanged } from '../../platform/pipeline.ts'
import { nextArguments, setItems, sizeOf } from '../http/pages.ts'
import type { RunningTool } from '../tool-request.ts'
import type { PagesReport, ToolResult } from '../types.ts'
import { prepareCall } from './authorize-call.ts'
import type { CallStart, HasTool, StepDeps } from './context.ts'

/** The largest size of all pages together, as they were received. */
const BYTES_MAX = 10 * 1024 * 1024

type Arguments = Record<string, unknown>
type ReadPage = (context: RunningTool, deps: StepDeps) => Promise<ToolResult>

/** The page that was read last, and what the pages before it contain. */
interface Progress {
  readonly pagination: CompiledPagination
  readonly args: Arguments
  readonly result: ToolResult
  readonly items: unknown[]
  readonly bytes: number
  readonly pages: number
}

/** Rejects a call for pages of a tool that has none. */
export function requirePagination({ call, resolvedTool }: CallStart & HasTool): Unchanged {
  const { pagination, slug } = resolvedTool.tool
  if (!call.paging || pagination) return UNCHANGED
  throw badRequest(`Error in payload.paging: ${slug} returns no list with pages. Call it without \`paging\`.`)
}

/**
 * Repeats the steps of a tool for each page of a list, until its end or a limit. The result has the items of all
 * pages, and the other data of the last one. A page that cannot be read ends the list: earlier pages stay.
 */
export function readFurtherPages(readPage: ReadPage) {
  return (context: RunningTool, deps: StepDeps, first: ToolResult): ToolResult | Promise<ToolResult> => {
    const { pagination } = context.resolvedTool.tool
    if (!context.call.paging || !pagination || !first.successful) return first
    return readAll(context, deps, readPage, first, pagination)
  }
}

async function readAll(
  context: RunningTool,
  deps: StepDeps,
  readPage: ReadPage,
  first: ToolResult,
  pagination: CompiledPagination,
): Promise<ToolResult> {
  const pageTool = findPageTool(context, deps, pagination)
  const requested = new Set<string>()
  let progress: Progress = {
    pagination,
    args: context.arguments,
    result: first,
    items: [...pagination.items(first.data)],
    bytes: sizeOf(first),
    pages: 1,
  }
  for (;;) {
    const next = nextPage(progress)
    if (!next) return withItems(first, progress, { next, stopped_by: null })
    const key = JSON.stringify(next)
    const limit = pageTool ? reachedLimit(context, progress, requested.has(key)) : 'not_allowed'
    if (limit || !pageTool) return withItems(first, progress, { next, stopped_by: limit })
    requested.add(key)
    const args = argumentsOfPage(context, pageTool, next)
    const page = { ...context, resolvedTool: pageTool, operation: pageTool, arguments: args }
    if (!(await isAllowed(page, deps, context.resolvedTool))) {
      return withItems(first, progress, { next, stopped_by: 'not_allowed' })
    }
    const result = await resultOrFailure(readPage(page, deps))
    if (!result.successful) {
      return withItems(first, progress, { next, stopped_by: 'error', error: result.error })
    }
    progress = addPage(progress, pageTool.tool.pagination ?? pagination, args, result)
  }
}

function addPage(
  { items, bytes, pages }: Progress,
  pagination: CompiledPagination,
  args: Arguments,
  result: ToolResult,
): Progress {
  for (const item of pagination.items(result.data)) items.push(item)
  return { pagination, args, result, items, bytes: bytes + sizeOf(result), pages: pages + 1 }
}

function reachedLimit(
  { call: { paging } }: RunningTool,
  { pages, items, bytes }: Progress,
  isRepeated: boolean,
): PagesReport['stopped_by'] {
  if (isRepeated) return 'repetition'
  if (!paging || pages >= paging.maxPages) return 'max_pages'
  if (items.length >= paging.maxItems) return 'max_items'
  return bytes >= BYTES_MAX ? 'size' : null
}

function withItems(
  first: ToolResult,
  { pagination, result, items, pages }: Progress,
  end: Pick<PagesReport, 'next' | 'stopped_by' | 'error'>,
): ToolResult {
  const paging: PagesReport = { pages, items: items.length, complete: end.next === null, ...end }
  return { ...first, data: setItems(result.data, pagination.itemsPath, items), paging }
}

function nextPage({ pagination, args, result: { data, headers = {} } }: Progress): Arguments | null {
  return pagination.next({ args, data, items: pagination.items(data), headers }) ?? null
}

/** The same tool gets its own arguments with those of the page. Another tool gets those of the page only. */
function argumentsOfPage(context: RunningTool, pageTool: ResolvedTool, next: Arguments): Arguments {
  const pageArguments = nextArguments(next, pageTool)
  return pageTool === context.resolvedTool ? { ...context.arguments, ...pageArguments } : pageArguments
}

/** The policies allowed the first tool. Another tool that reads the next pages must be allowed, too. */
function isAllowed(page: RunningTool, deps: StepDeps, firstTool: ResolvedTool): boolean | Promise<boolean> {
  if (page.resolvedTool === firstTool || !deps.policies) return true
  return deps.policies.allowsFollowUp(prepareCall(page, deps))
}

/** Returns undefined if the auth config does not allow the tool of the next pages, or this version lacks it. */
function findPageTool(
  { resolvedTool, connection }: RunningTool,
  { catalog }: StepDeps,
  { tool: slug }: CompiledPagination,
): ResolvedTool | undefined {
  if (slug === undefined) return resolvedTool
  const { version } = resolvedTool
  const pageTool = catalog.tool(slug, version)
  const allowed = connection.kind === 'account' ? connection.account.allowedTools : []
  return pageTool && (allowed.length === 0 || listIncludesTool(catalog, allowed, pageTool.tool, version))
    ? pageTool
    : undefined
}

/** An ApiError ends the list, like a failure of the application. */
async function resultOrFailure(page: Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await page
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { data: {}, error: error.message, successful: false, statusCode: null }
  }
}
