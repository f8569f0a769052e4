import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Catalog, type ResolvedTool, loadToolkit, ManifestError } from '../../catalog/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { systemClock } from '../../platform/clock.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { runSimulated, type TryResult } from './simulated-run.ts'
import { formatResult } from './result-text.ts'
import { ROOT } from '../../server/version.ts'

export interface TryCommand {
  args: readonly string[]
  out: Pick<NodeJS.WriteStream, 'write'>
  cwd: string
}

/** The exit code of the command line for a tool that failed. */
const TOOL_FAILED = 5
const BYTES_MAX = 64 * 1024 * 1024

/**
 * Runs `patchbay toolkits try <slug|folder> <tool>`: a tool against the simulation of its application, or
 * against a recording, and prints request, response and result. No server, database or network is used.
 * Returns the exit code: 1 if the manifest has problems, 5 if the tool failed. @throws StartupError
 */
export async function tryToolkit({ args, out, cwd }: TryCommand): Promise<number> {
  const { values, positionals } = read(args)
  const [where, tool, ...more] = positionals
  if (where === undefined || tool === undefined || more.length)
    throw usage(
      'toolkits try takes a toolkit and a tool.',
      'Write `patchbay toolkits try <slug or folder> <tool>`, for example `patchbay toolkits try github ' +
        'GITHUB_CREATE_AN_ISSUE`.',
    )
  const folder = folderOf(where, cwd)
  let catalog: Catalog
  try {
    catalog = await loadToolkit(folder)
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    const lines = error.diagnostics.map(
      ({ file, path, reason }) => `  ✗ ${file}${path && ` ${path}`}\n      ${reason}`,
    )
    out.write(
      values.json
        ? `${JSON.stringify({ ok: false, diagnostics: error.diagnostics }, null, 2)}\n`
        : `\n${lines.join('\n')}\n\n`,
    )
    return 1
  }
  const recordingFile = values.recording
  const resolved = catalog.tool(tool, 'latest') ?? missing(catalog, tool)
  const requestedArguments = values.arguments === undefined ? undefined : argumentsFrom(values.arguments, cwd)
  const result = await run({
    catalog,
    resolved,
    folder,
    requestedArguments,
    recording: recordingFile === undefined ? undefined : text(resolve(cwd, recordingFile)),
  })
  out.write(values.json ? `${JSON.stringify(result, null, 2)}\n` : formatResult(result, resolved))
  return result.successful ? 0 : TOOL_FAILED
}

function read(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        arguments: { type: 'string', short: 'a' },
        recording: { type: 'string' },
        json: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw usage((error as Error).message.split('. ')[0]!, '`patchbay toolkits try --help` lists the flags.')
  }
}

/** Returns a folder of this machine, else the folder of the included toolkit with this slug. */
function folderOf(where: string, cwd: string): string {
  const own = resolve(cwd, where)
  if (existsSync(join(own, 'toolkit.json'))) return own
  const shipped = fileURLToPath(new URL(`toolkits/${where.toLowerCase()}`, ROOT))
  if (/^[a-z0-9_]+$/i.test(where) && existsSync(join(shipped, 'toolkit.json'))) return shipped
  throw usage(
    `Toolkit ${where} does not exist, and neither does a folder with a toolkit.json.`,
    'Use the slug of an included toolkit, or the folder of one toolkit, which contains toolkit.json.',
  )
}

function missing(catalog: Catalog, tool: string): never {
  const slugs = catalog.toolkits.flatMap(({ tools }) => tools.map(({ slug }) => slug))
  const words = tool.toUpperCase().split('_').slice(1)
  const near = slugs
    .map((slug) => ({ slug, fit: words.filter((word) => slug.includes(word)).length }))
    .sort((a, b) => b.fit - a.fit)
    .slice(0, 3)
    .map(({ slug }) => slug)
  throw usage(
    `The toolkit has no tool ${tool}.`,
    `Did you mean ${near.join(', ')}? The toolkit has ${slugs.length} tools.`,
  )
}

function argumentsFrom(json: string, cwd: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(json.startsWith('@') ? text(resolve(cwd, json.slice(1))) : json)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw usage(
      `--arguments is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
      'Write an object, such as --arguments \'{"title": "It rains in"}\', or @file.',
    )
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw usage('--arguments must be a JSON object.', 'Its fields are the arguments of the tool.')
  return value as Record<string, unknown>
}

function text(file: string): string {
  try {
    if (statSync(file).size > BYTES_MAX)
      throw usage(`${file} is larger than ${BYTES_MAX} bytes.`, 'Use a smaller file.')
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw usage(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      'Use a file that exists.',
    )
  }
}

async function run(options: {
  catalog: Catalog
  resolved: ResolvedTool
  folder: string
  requestedArguments: Record<string, unknown> | undefined
  recording: string | undefined
}): Promise<TryResult> {
  const { folder } = options
  try {
    return await runSimulated({
      ...options,
      clock: systemClock,
      notesFolder: dirname(folder),
      slug: basename(folder),
    })
  } catch (error) {
    if (error instanceof ApiError) throw usage(error.message, 'Nothing was sent.')
    throw error
  }
}

const usage = (message: string, fix: string) => new StartupError(message, fix, { exitCode: 2 })
