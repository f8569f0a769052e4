import type { Option } from 'commander'
import type { ApiVersion } from '../../contract/route.ts'
import { type ApiReply, callApi, type ApiRequest } from '../api-client/call.ts'
import type { Options } from '../arguments/global-options.ts'
import type { Io } from '../io.ts'
import { type Flag, type Operation, toOptions } from './operations.ts'
import { pageOf } from '../output/reply.ts'
import { printResult } from '../output/report.ts'
import { type Connection } from '../api-client/connection.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { readJson, readValue } from '../arguments/values.ts'

/** The most pages that `--all` reads: a million rows at the largest page size. */
const PAGES_MAX = 1000

/** Calls an operation with the values of the command line, and prints the response. */
export async function runOperation(
  operation: Operation,
  params: Record<string, string>,
  options: Options,
  { connection, version, asJson }: { connection: Connection; version: ApiVersion; asJson: boolean },
  io: Io,
): Promise<number> {
  const { route } = operation
  const request = {
    params,
    query: fieldsOf('query', operation, options, io),
    body: await bodyOf(operation, options, io),
  }
  const ask = (one: ApiRequest) => callApi(io, connection, route, version, one)
  return printResult(
    io,
    route.id,
    options['all'] ? await allPages(operation, request, ask) : await ask(request),
    asJson,
  )
}

function fieldsOf(
  place: Flag['place'],
  { flags }: Operation,
  options: Options,
  io: Io,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const flag of flags) {
    const value = flag.place === place ? options[attributeOf(flag)] : undefined
    if (value !== undefined) fields[flag.field] = readValue(flag, value, io.cwd)
  }
  return fields
}

async function bodyOf(operation: Operation, options: Options, io: Io): Promise<unknown> {
  if (!operation.hasBody) return undefined
  const data = options['data'] as string | undefined
  const whole =
    data === undefined ? {} : readJson('--data', data === '-' ? await readInput(io) : data, io.cwd)
  const fields = fieldsOf('body', operation, options, io)
  if (Object.keys(fields).length === 0) return whole
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new UsageError(
      '--data is not an object, so flags cannot set its fields.',
      'Use either --data or the other flags.',
    )
  return { ...whole, ...fields }
}

async function readInput(io: Io): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of io.stdin ?? []) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString('utf8')
}

/** Reads all pages into one response: the last page, with the rows of every page. */
async function allPages(
  operation: Operation,
  request: ApiRequest,
  ask: (request: ApiRequest) => Promise<ApiReply>,
): Promise<ApiReply> {
  const inBody = operation.flags.some(({ field, place }) => field === 'cursor' && place === 'body')
  const rows: unknown[] = []
  let cursor: string | number | null = null
  for (let asked = 0; asked < PAGES_MAX; asked++) {
    const extra: Record<string, unknown> = cursor === null ? {} : { cursor }
    const answer = await ask(
      inBody
        ? { ...request, body: { ...(request.body as object), ...extra } }
        : { ...request, query: { ...request.query, ...extra } },
    )
    const page = answer.status < 400 ? pageOf(answer.body) : undefined
    if (!page) return answer
    rows.push(...page.rows)
    if (page.nextCursor === null || page.nextCursor === cursor)
      return {
        status: answer.status,
        body: { ...withoutCursor(answer.body as object), [page.rowsKey]: rows },
      }
    cursor = page.nextCursor
  }
  throw new UsageError(`The list has more than ${PAGES_MAX} pages.`, 'Add filters, or use a larger --limit.')
}

/** The cursors of the last page, in both names, are null: all rows were read. */
const withoutCursor = (body: object): object => ({
  ...body,
  next_cursor: null,
  ...('nextCursor' in body && { nextCursor: null }),
})

const attributeOf = (flag: Flag): string => (toOptions(flag)[0] as Option).attributeName()
