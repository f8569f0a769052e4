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
import { openInBrowser } from '../connect/open-browser.ts'
import { EXIT, type Io, printable, writeNote } from '../io.ts'
import { type Operation, toOptions } from '../operations/operations.ts'
import { printApiError } from '../output/failure.ts'
import { printImportReport } from '../output/import-report.ts'
import { printJson } from '../output/reply.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { readJson, unreadableText } from '../arguments/values.ts'

const FILE_BYTES_MAX = 64 * 1024 * 1024
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
    .option(
      '--sign-in',
      'sign in at a remote MCP server in the browser; the token is used for this import only',
    )
    .option('--no-open', 'print the URL of the sign-in, and do not open it')
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
    const options = command.opts<Options>()
    const body = { ...bodyOf(document, options, io), ...(await signedIn(document, options, io)) }
    if (!asJson) writeNote(io, `Importing ${printable(document)} …`)
    const { status, body: reply } = await callApi(io, connection, importToolkit, version, {
      params: {},
      query: {},
      body,
    })
    if (status >= 400) return finish(printApiError(io, status, reply, asJson))
    if (asJson) printJson(io, reply)
    else printImportReport(io, reply as ToolkitImportReport)
    finish(EXIT.ok)
  })
}

function headersOf(options: Options): Record<string, string> {
  const lines = (options['header'] as string[] | undefined) ?? []
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value = ''] = /^\s*([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? []
      if (name === undefined)
        throw new UsageError(
          '--header takes a name and a value.',
          "Write --header 'authorization: Bearer …'.",
        )
      return [name, value]
    }),
  )
}

function bodyOf(document: string, options: Options, io: Io): Record<string, unknown> {
  const text = (name: string) => options[name] as string | undefined
  const headers = headersOf(options)
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
    ...(isOn(options['lenient']) && { lenient: true }),
    ...(isOn(options['dryRun']) && { dry_run: true }),
  }
}

/** Signs in with `--sign-in`. Returns the fields of the request that use the token. */
async function signedIn(document: string, options: Options, io: Io): Promise<Record<string, unknown>> {
  if (!isOn(options['signIn'])) return {}
  const type = options['type'] as string | undefined
  if (!/^https?:\/\//i.test(document) || (type !== undefined && type !== 'mcp' && type !== 'auto'))
    throw new UsageError(
      '--sign-in is for remote MCP servers.',
      'Give the URL of the server, without --type.',
    )
  const headers = headersOf(options)
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization'))
    throw new UsageError(
      'The import has two credentials: --sign-in and the header authorization.',
      'Leave one of them out.',
    )
  // Only this command needs the modules of the sign-in.
  const { signInToMcp } = await import('../mcp-sign-in/sign-in.ts')
  const token = await signInToMcp(io, document, (url) => {
    io.stderr.write(`Open this page to sign in:\n\n  ${printable(url)}\n\nWaiting …\n`)
    if (options['open'] !== false) openInBrowser(io, url)
  })
  return { type: 'mcp', headers: { ...headers, authorization: `Bearer ${token}` } }
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
