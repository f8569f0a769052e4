import { type Command, Option } from 'commander'
import type { ReplyOf } from '../../contract/route.ts'
import { listTools, type SearchExplanation } from '../../contract/tools/index.ts'
import { callApi } from '../api-client/call.ts'
import {
  addGlobalOptions,
  type Finish,
  type Options,
  readGlobalOptions,
} from '../arguments/global-options.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { HEADINGS } from '../help/groups.ts'
import { EXIT, type Io, printable, writeNote } from '../io.ts'
import { printResult } from '../output/report.ts'
import { type Column, table } from '../output/table.ts'

const LIMIT_DEFAULT = 10
const COLUMNS: readonly Column[] = [
  { path: 'slug', title: 'slug' },
  { path: 'name', title: 'name' },
  { path: 'description', title: 'description', isSecondary: true },
]
const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' })

/** Adds `patchbay search`, which finds tools by what people say. */
export function addSearchCommand(program: Command, io: Io, finish: Finish): void {
  const command = program
    .command('search')
    .argument('<request>', 'what the tool should do, in the words of a user')
    .summary('Find tools for a request in plain words')
    .description('Finds tools for a request in plain words, best match first.')
    .helpGroup(HEADINGS.tools)
    .helpOption('-h, --help', 'print this help')
    .addOption(new Option('--explain [boolean]', 'show why each tool has its rank').preset('true'))
    .option('--toolkit <slugs>', 'only tools of these toolkits, separated by commas')
    .option('--limit <n>', `number of tools (default: ${LIMIT_DEFAULT})`)
    .addHelpText('after', '\nExample:\n  patchbay search "open an issue on GitHub" --explain')
  addGlobalOptions(command).action(async (request: string) => {
    const { connection, version, asJson } = readGlobalOptions(command, io)
    const { explain, toolkit, limit } = command.opts<Options>()
    if (!request.trim())
      throw new UsageError('The request is empty.', 'Write what the tool should do, in quotes.')
    const answer = await callApi(io, connection, listTools, version, {
      params: {},
      query: {
        query: request,
        limit: limitOf(limit),
        ...(toolkit === undefined ? {} : { toolkit_slug: toolkit }),
        ...(explain === 'true' ? { explain: true } : {}),
      },
      body: undefined,
    })
    if (answer.status >= 400 || asJson) return finish(printResult(io, listTools.id, answer, asJson))
    const { items, explanation } = answer.body as ReplyOf<typeof listTools>
    if (items.length === 0) writeNote(io, 'Nothing found.')
    else io.stdout.write(explanation ? explainedTable(io, explanation) : table(io, COLUMNS, items))
    if (explanation) io.stderr.write(describeRequest(explanation))
    finish(EXIT.ok)
  })
}

/** One row for each tool. A signal that is 0 for all of them has no column. */
function explainedTable(io: Io, { tools }: SearchExplanation): string {
  const names = Object.keys(
    tools[0]?.signals ?? {},
  ) as (keyof SearchExplanation['tools'][number]['signals'])[]
  const used = names.filter((name) => tools.some(({ signals }) => signals[name] !== 0))
  return table(
    io,
    [
      { path: 'rank', title: '#' },
      { path: 'slug', title: 'slug' },
      { path: 'score', title: 'score' },
      ...used.map((name) => ({ path: `signals.${name}`, title: name })),
      { path: 'matches', title: 'words of the request', isSecondary: true },
    ],
    tools.map((tool) => ({
      ...tool,
      matches: tool.words.map(({ word, strength }) => `${word} ${strength.toFixed(2)}`),
    })),
  )
}

const REASONS = {
  not_installed: 'the application is not installed',
  no_tools: 'the application has no tools here',
  no_such_action: 'the application has no tool for this action',
  unlike: 'no tool contains enough of the request',
} as const

/** Lines about how the request was read. */
function describeRequest({ language, corrections, applications, fit }: SearchExplanation): string {
  const names = applications.map((one) => `${one.toolkit_slug} (${one.certainty.toFixed(2)})`).join(', ')
  const reason = fit.reason === null ? '' : `; ${REASONS[fit.reason]}`
  const lines = [
    ...(language === null ? [] : [`Translated from ${LANGUAGES.of(language) ?? language}.`]),
    ...corrections.map(({ from, to }) => `Corrected: ${from} → ${to}.`),
    names === '' ? 'Names no application.' : `Seems to name: ${names}.`,
    `Fit: ${fit.level}, coverage ${fit.coverage.toFixed(2)}${reason}.`,
  ]
  return lines.map((line) => `${printable(line)}\n`).join('')
}

function limitOf(limit: Options[string]): number {
  const number = limit === undefined ? LIMIT_DEFAULT : Number(limit)
  if (Number.isInteger(number) && number >= 1) return number
  throw new UsageError(
    `--limit takes a whole number of at least 1, not "${String(limit)}".`,
    `Omit it for ${LIMIT_DEFAULT}.`,
  )
}
