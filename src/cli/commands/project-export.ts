import { closeSync, createReadStream, existsSync, openSync, renameSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exportProject } from '../../contract/projects/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { callApi, CallError } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  type Options,
  readGlobalOptions,
} from '../arguments/global-options.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { EXIT, type Io } from '../io.ts'
import type { Operation } from '../operations/operations.ts'
import { printApiError } from '../output/failure.ts'
import { printJson } from '../output/reply.ts'
import { createExportCheck } from '../transfer/export-check.ts'

type Globals = ReturnType<typeof readGlobalOptions>

const ROWS_PER_PAGE = 1_000

/** Adds `patchbay projects export`: writes everything that a project owns to a file, page by page. */
export function addProjectExport(group: Command, _: Operation, io: Io, finish: Finish): void {
  const command = group
    .command('export <file>')
    .summary(exportProject.summary)
    .description(
      'Writes everything that the project of the key owns to a file of NDJSON, without credentials and other ' +
        'secrets. The file has the name <file>.part until it is complete. `patchbay export` writes the configuration ' +
        'that `patchbay import` reads.',
    )
    .option('--check', 'check an existing file: its last line has the counts and the digest of all lines')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  patchbay projects export project.ndjson')
  addGlobalOptions(command).action(async (file: string) => {
    const globals = readGlobalOptions(command, io)
    const isCheck = command.opts<Options>()['check'] === true
    finish(isCheck ? await checkFile(io, file, globals.asJson) : await writeExport(io, file, globals))
  })
}

async function writeExport(io: Io, file: string, globals: Globals): Promise<number> {
  const path = resolve(io.cwd, file)
  if (existsSync(path)) throw new UsageError(`${file} exists already.`, 'Name a new file.')
  const part = openSync(`${path}.part`, 'w', 0o600)
  let failed: number | undefined
  const check = createExportCheck()
  try {
    failed = await writePages(io, globals, (content) => {
      writeSync(part, content)
      for (const line of content.match(/[^\n]*\n/g) ?? []) check.add(line)
    })
  } finally {
    closeSync(part)
  }
  if (failed !== undefined) return failed
  const result = check.finish()
  if ('fault' in result) throw incomplete(`${file}.part`, result.fault)
  renameSync(`${path}.part`, path)
  report(io, file, result.rows, globals.asJson)
  return EXIT.ok
}

/** Reads page after page. Returns the exit code of a page that the server rejects. */
async function writePages(
  io: Io,
  { connection, version, asJson }: Globals,
  write: (content: string) => void,
): Promise<number | undefined> {
  let cursor: string | null = null
  do {
    const { status, body } = await callApi(io, connection, exportProject, version, {
      params: {},
      query: {},
      body: { limit: ROWS_PER_PAGE, cursor },
    })
    if (status >= 400) return printApiError(io, status, body, asJson)
    const page = body as ReplyOf<typeof exportProject>
    write(page.content)
    cursor = page.next_cursor
  } while (cursor !== null)
  return undefined
}

async function checkFile(io: Io, file: string, asJson: boolean): Promise<number> {
  const path = resolve(io.cwd, file)
  if (!existsSync(path)) throw new UsageError(`${file} does not exist.`, 'Name an exported file.')
  const check = createExportCheck()
  for await (const line of linesOf(path)) check.add(line)
  const result = check.finish()
  if ('fault' in result) throw incomplete(file, result.fault)
  report(io, file, result.rows, asJson)
  return EXIT.ok
}

/** Lines end with a line feed only: `node:readline` also ends them at U+2028, which JSON texts may contain. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const parts = (rest + text).split('\n')
    rest = parts.pop() as string
    for (const part of parts) yield `${part}\n`
  }
  if (rest !== '') yield rest
}

const incomplete = (file: string, fault: string) =>
  new CallError(
    `${file} is not a complete export: ${fault}.`,
    'Run `patchbay projects export` again.',
    EXIT.apiError,
  )

function report(io: Io, file: string, rows: number, asJson: boolean): void {
  if (asJson) printJson(io, { file, rows })
  else io.stdout.write(`${file}: ${rows} rows, complete\n`)
}
