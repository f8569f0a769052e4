import type { Command, Option } from 'commander'
import type { Io } from '../io.ts'
import { buildProgram } from '../program.ts'

/** The commands, flags and examples as a page of Markdown: docs/reference/cli.md. */
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
  const groups = program.commands.filter((command) => command.name() !== 'help')
  return [
    '# The command line',
    '',
    '<!-- Written by scripts/write-cli-reference.ts. -->',
    '',
    'One command, `patchbay`, starts the server and calls its API. Every operation of the API has a command; `patchbay <command> --help` prints what stands here.',
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
  'The server and the keys come from the flags, else from `PATCHBAY_URL`, `PATCHBAY_API_KEY` and `PATCHBAY_ORG_API_KEY`, else from `keys.json`, which the server writes',
  'into its data directory (`DATA_DIR`, or `.patchbay`) at its first start, here or in a directory above. The keys of that file go to that server only. Exactly one key is sent: the',
  'one the operation takes.',
  '',
  'Lists can be repeated or joined by commas; one that holds a comma is written as JSON. Objects are JSON, or `@file.json`. `--data` takes a whole body: JSON, `@file.json`, or `-` for',
  'standard input; the other flags overrule its fields. Lists print a table and, on standard error, how to get the next page; `--all` follows the pages. `--json` prints the reply as it came.',
  'Colour is for terminals only; `NO_COLOR` turns it off.',
  '',
  '| Exit code | Meaning |',
  '|---|---|',
  '| 0 | done |',
  '| 1 | the API refused the call (4xx) |',
  '| 2 | wrong usage; nothing was called |',
  '| 3 | the server cannot be reached, or what answers is no Patchbay server |',
  '| 4 | a fault of the server (5xx) |',
  '| 5 | the tool itself failed (`tools execute`) |',
  '| 6 | accounts are frozen, but not all of their access was revoked at the providers (`panic`) |',
  '',
]

function places(command: Command): string {
  return command.registeredArguments
    .map((argument) => ` ${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}`)
    .join('')
}

/** The example of a command stands in the text after its help. */
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
