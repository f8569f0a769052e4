import type { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { buildProgram } from '../program.ts'

/** Writes the commands, flags and examples as Markdown: docs/reference/cli.md. */
export function cliReference(io: Io): string {
  const program = buildProgram(io, () => {})
  const helper = program.createHelp()
  const isGlobal = (option: Option) => program.options.some(({ long }) => long === option.long)
  const options = (list: readonly Option[]) =>
    list.length === 0
      ? []
      : [
          '| Flag | Meaning |',
          '|---|---|',
          ...list.map((option) => `| \`${escape(option.flags)}\` | ${escape(option.description)} |`),
          '',
        ]
  const section = (command: Command, names: string): string[] => [
    `### ${names}`,
    '',
    command.description(),
    '',
    '```sh',
    examples(command) ?? names,
    '```',
    '',
    ...options(command.options.filter((option) => !option.hidden && !isGlobal(option))),
  ]
  const groups = helper.visibleCommands(program).filter((command) => command.name() !== 'help')
  return [
    '# The command line',
    '',
    '<!-- Written by scripts/write-cli-reference.ts. -->',
    '',
    'One command, `patchbay`, starts the server and calls its API. Every operation of the API has a ' +
      'command; `patchbay <command> --help` prints the same information.',
    '',
    '## Every command',
    '',
    ...options(program.options),
    ...INTRODUCTION,
    ...groups.flatMap((group) =>
      group.commands.length === 0
        ? [`## ${group.name()}`, '', ...section(group, `patchbay ${group.name()}`)]
        : [
            `## ${group.name()}`,
            '',
            `${group.description()}.`,
            '',
            ...helper
              .visibleCommands(group)
              .flatMap((command) =>
                section(command, `patchbay ${group.name()} ${command.name()}${places(command)}`),
              ),
          ],
    ),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

const INTRODUCTION = [
  'The server and the keys come from the flags; then from `PATCHBAY_URL`, `PATCHBAY_API_KEY` and ' +
    '`PATCHBAY_ORG_API_KEY`;',
  'then from `keys.json`, which the server writes to its data directory (`DATA_DIR`, or `.patchbay`) at ' +
    'its first start, in',
  'this directory or one above it. The keys of that file are sent to that server only. Each call sends ' +
    'one key: the one',
  'that the operation takes.',
  '',
  'For a list, repeat the flag or separate values by commas; write a value that contains a comma as ' +
    'JSON. Objects are JSON,',
  'or `@file.json`. `--data` takes a request body: JSON, `@file.json`, or `-` for standard input; other ' +
    'flags override its',
  'fields. Lists print a table and, on standard error, how to get the next page; `--all` reads all ' +
    'pages. `--json` prints',
  'the response as JSON.',
  'Colour is used on terminals only; `NO_COLOR` disables it.',
  '',
  '| Exit code | Meaning |',
  '|---|---|',
  '| 0 | done |',
  '| 1 | the API rejected the call (4xx), or the application of the tool cannot be reached (502) |',
  '| 2 | incorrect usage; nothing was called |',
  '| 3 | the server cannot be reached, or is not a Patchbay server |',
  '| 4 | server error (5xx) |',
  '| 5 | the tool failed (`tools execute`) |',
  '| 6 | accounts are frozen, but not all of their access was revoked at the providers (`panic`) |',
  '',
]

function places(command: Command): string {
  return command.registeredArguments
    .map((argument) => ` ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`)
    .join('')
}

/** The example of a command is in the text after its help. */
function examples(command: Command): string | undefined {
  let text = ''
  command.configureOutput({
    ...command.configureOutput(),
    writeOut: (part) => {
      text += part
    },
  })
  command.outputHelp()
  return /Example:\n {2}(.+)/.exec(text)?.[1]
}

const escape = (text: string): string => text.replaceAll('|', '\\|')
