import type { Command, Option } from 'commander'
import { exampleOf } from './example.ts'
import {
  addGlobalOptions,
  type Finish,
  readGlobalOptions,
  type Options,
} from '../arguments/global-options.ts'
import type { Io } from '../io.ts'
import { type Operation, toOptions } from './operations.ts'
import { runOperation } from './run-operation.ts'
import { addToolInputs } from './tool-inputs.ts'

/** Operations at URLs that only older clients use. */
const EARLIER_URL = /\(earlier URL\)$/

/** Body fields that are arguments instead of flags. */
const AS_ARGUMENT: Readonly<Record<string, string>> = { 'projects.create': 'name' }

/** Adds the command of one API operation to its group. */
export function addOperation(group: Command, operation: Operation, io: Io, finish: Finish): void {
  const { route, flags, pathParameters: places } = operation
  const command = group
    .command(operation.name, { hidden: EARLIER_URL.test(route.summary) })
    .summary(route.summary)
    .description(`${route.summary}.`)
    .helpOption('-h, --help', 'print this help')
  for (const place of places) command.argument(`<${place}>`)
  const argument = flags.find(({ field, place }) => place === 'body' && AS_ARGUMENT[route.id] === field)
  if (argument) command.argument(`[${argument.name}]`, argument.description)
  for (const flag of flags) for (const option of toOptions(flag)) command.addOption(option)
  if (operation.hasBody)
    command.option(
      '--data <json>',
      'the request body: JSON, @file, or - for standard input; flags override its fields',
    )
  if (isPaged(operation)) command.option('--all', 'read all pages')
  addGlobalOptions(command)
  command.addHelpText('after', `\nExample:\n  ${exampleOf(operation)}`)
  const takesInputs = route.id === 'tools.execute'
  if (takesInputs)
    command
      .usage('[options] <tool_slug> [--input value ...]')
      .allowUnknownOption()
      .allowExcessArguments()
      .addHelpText('after', TOOL_INPUTS_HELP)
  command.action(async () => {
    const options = command.optsWithGlobals<Options>()
    const globals = readGlobalOptions(command, io)
    const failed = takesInputs ? await addToolInputs(command.args, options, globals, io) : undefined
    if (failed !== undefined) return finish(failed)
    const pathValues = Object.fromEntries(places.map((place, at) => [place, command.args[at] ?? '']))
    if (argument && command.args[places.length] !== undefined)
      options[(toOptions(argument)[0] as Option).attributeName()] = command.args[places.length]
    finish(await runOperation(operation, pathValues, options, globals, io))
  })
}

const TOOL_INPUTS_HELP = `
Inputs of the tool are flags too: max_results is --max-results. An input that has the name of a flag above is set with
--arguments.`

const isPaged = ({ flags }: Operation): boolean => flags.some(({ field }) => field === 'cursor')
