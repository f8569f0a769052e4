import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Command } from 'commander'
import { importToolkit, type ToolkitImportReport } from '../../contract/toolkits/index.ts'
import { callApi } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import { EXIT, type Io, painter, printable } from '../io.ts'
import { type Operation, toOptions } from '../operations/operations.ts'
import { printApiError } from '../output/failure.ts'
import { printJson } from '../output/reply.ts'
import { type Column, table } from '../output/table.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { readJson, unreadableText } from '../arguments/values.ts'

const FILE_BYTES_MAX = 64 * 1024 * 1024
const SHOWN = 20
const AUTH_WORDS = ['none', 'basic', 'bearer']

/**
 * Adds `patchbay toolkits import`: makes a toolkit from an API description, and shows what a repeated import
 * changes.
 */
export function addImportCommand(group: Command, { flags }: Operation, io: Io, finish: Finish): void {
  const command = group
    .command('import <document>')
    .summary(importToolkit.summary)
    .description(
      `${importToolkit.summary}: a file, or the URL of a file, a GraphQL endpoint or a remote MCP ` +
        'server. OpenAPI 3.0 and 3.1, Swagger 2, GraphQL (introspection or schema language) and Postman ' +
        'collections are detected automatically. A repeated import creates a new version and shows what ' +
        'changes.',
    )
    .option('--slug <slug>', 'slug of the toolkit; default: from the title')
    .option('--name <text>', 'name of the toolkit; default: the title')
    .option('--server <url>', 'base URL of the API; default: from the document')
    .option('--type <type>', 'auto (default), openapi, graphql, postman or mcp')
    .option(
      '--auth <how>',
      'none, basic, bearer, api_key:<header>, query:<name>, or JSON; default: from the document',
    )
    .option(
      '--header <name: value>',
      'header to fetch the document with, repeatable; it is not stored',
      (value: string, before: string[] | undefined) => [...(before ?? []), value],
    )
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExit code 0: the toolkit was imported. Operations that cannot become tools are ' +
        'listed.\n\nExample:\n  patchbay toolkits import ./openapi.json --slug my_api --auth ' +
        'api_key:X-API-Key',
    )
  for (const flag of flags.filter(({ kind }) => kind === 'boolean'))
    for (const option of toOptions(flag)) command.addOption(option)
  addGlobalOptions(command).action(async (document: string) => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const body = bodyOf(document, command.opts<Options>(), io)
    if (!asJson) io.stderr.write(`${painter(io, io.stderr)('dim', `Importing ${printable(document)} …`)}\n`)
    const { status, body: reply } = await callApi(io, connection, importToolkit, version, {
      params: {},
      query: {},
      body,
    })
    if (status >= 400) return finish(printApiError(io, status, reply, asJson))
    if (asJson) printJson(io, reply)
    else show(io, reply as ToolkitImportReport)
    finish(EXIT.ok)
  })
}

function bodyOf(document: string, options: Options, io: Io): Record<string, unknown> {
  const text = (name: string) => options[name] as string | undefined
  const headers = Object.fromEntries(
    ((options['header'] as string[] | undefined) ?? []).map((line) => {
      const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? []
      if (name === undefined)
        throw new UsageError(
          '--header takes a name and a value.',
          "Write --header 'authorization: Bearer …'.",
        )
      return [name, value]
    }),
  )
  return {
    ...(/^https?:\/\//i.test(document)
      ? { url: document }
      : { content_gzip: gzipSync(readDocument(document, io.cwd)).toString('base64') }),
    ...Object.fromEntries(
      (['slug', 'name', 'server', 'type'] as const).flatMap((name) =>
        text(name) === undefined ? [] : [[name, text(name)]],
      ),
    ),
    ...(text('auth') !== undefined && authOf(text('auth')!, io)),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(isOn(options['dryRun']) && { dry_run: true }),
  }
}

/** Whether a flag is set, with or without a value. */
const isOn = (value: Options[string]): boolean => value === true || value === 'true'

function readDocument(document: string, cwd: string): Buffer {
  const path = resolve(cwd, document)
  try {
    if (statSync(path).size > FILE_BYTES_MAX)
      throw new UsageError(
        `${document} has more than ${FILE_BYTES_MAX / 1024 / 1024} MB.`,
        'Split the document by the areas of the API.',
      )
    return readFileSync(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      unreadableText(document, error),
      'Use a file that exists, or a URL that starts with https://.',
    )
  }
}

function authOf(how: string, io: Io): Record<string, unknown> {
  if (/^\s*[[{@]/.test(how)) {
    const value = readJson('--auth', how, io.cwd)
    return Array.isArray(value) ? { auth_schemes: value } : { auth: value }
  }
  if (AUTH_WORDS.includes(how)) return { auth: { type: how } }
  const [kind, ...rest] = how.split(':')
  const name = rest.join(':').trim()
  if ((kind !== 'api_key' && kind !== 'query') || name === '')
    throw new UsageError(
      `--auth does not take "${how}".`,
      'Write none, basic, bearer, api_key:X-API-Key, query:key, or JSON.',
    )
  return { auth: { type: 'api_key', in: kind === 'query' ? 'query' : 'header', name } }
}

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

function show(io: Io, report: ToolkitImportReport): void {
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
    io.stderr.write(
      `${painter(io, io.stderr)('dim', `Next: patchbay tools list --toolkit-slug ${report.slug}`)}\n`,
    )
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
  if (rows.length > SHOWN)
    io.stderr.write(`${painter(io, io.stderr)('dim', `${rows.length - SHOWN} more; --json prints all`)}\n`)
}
