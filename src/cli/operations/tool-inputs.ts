import { readTool } from '../../contract/tools/index.ts'
import type { ReplyOf } from '../../contract/route.ts'
import { nearestName } from '../../platform/nearest-name.ts'
import { callApi } from '../api-client/call.ts'
import type { GlobalOptions, Options } from '../arguments/global-options.ts'
import { UsageError } from '../arguments/usage-error.ts'
import { kindOf, readJson, readValue, type Schema, soleField } from '../arguments/values.ts'
import type { Io } from '../io.ts'
import { printApiError } from '../output/failure.ts'
import { kebab } from '../../contract/command-words.ts'

/** An input of a tool as a flag: `max_results` is `--max-results`. */
interface Input {
  field: string
  name: string
  schema: Schema
}

/**
 * Reads the flags that are inputs of a tool (`--expression '6*7'`) by the schema of the tool, and adds them to the
 * option `arguments`.
 * @param words what follows the slug of the tool, as typed
 * @returns the exit code if the tool cannot be read; the API error is printed
 * @throws UsageError for a flag that the tool does not have, or a value of the wrong type
 */
export async function addToolInputs(
  [slug = '', ...words]: readonly string[],
  options: Options,
  { connection, version, asJson }: GlobalOptions,
  io: Io,
): Promise<number | undefined> {
  if (words.length === 0) return undefined
  const request = { params: { tool_slug: slug }, query: {}, body: undefined }
  const { status, body } = await callApi(io, connection, readTool, version, request)
  if (status >= 400) return printApiError(io, status, body, asJson)
  const { input_parameters: parameters } = body as ReplyOf<typeof readTool>
  const inputs = parseToolInputs(slug, inputsOf(parameters as Schema), words, io.cwd)
  const before =
    typeof options['arguments'] === 'string' ? readJson('--arguments', options['arguments'], io.cwd) : {}
  options['arguments'] = JSON.stringify({ ...(before as object), ...inputs })
  return undefined
}

const inputsOf = ({ properties = {} }: Schema): Input[] =>
  Object.entries(properties).map(([field, schema]) => ({ field, name: kebab(field), schema }))

/** Converts `--name value`, `--name=value`, `--flag` and `--no-flag` to arguments of a tool. */
export function parseToolInputs(
  slug: string,
  inputs: readonly Input[],
  words: readonly string[],
  cwd: string,
): Record<string, unknown> {
  const texts = new Map<Input, string[]>()
  for (let at = 0; at < words.length; at++) {
    const [, name, inline] = /^--([^=]+)(?:=([^]*))?$/.exec(words[at]!) ?? []
    if (name === undefined)
      throw new UsageError(`"${words[at]}" is not a flag.`, `Write the inputs of ${slug} as --name value.`)
    const negated = name.startsWith('no-') ? findInput(inputs, name.slice(3)) : undefined
    const input = findInput(inputs, name) ?? negated
    if (!input) throw unknownInput(slug, name, inputs)
    const isBoolean = kindOf(input.schema) === 'boolean'
    const next = words[at + 1]
    const takesNext = inline === undefined && (isBoolean ? next === 'true' || next === 'false' : true)
    const text = inline ?? (takesNext ? next : input === negated ? 'false' : 'true')
    if (takesNext) at++
    if (text === undefined) throw new UsageError(`--${name} has no value.`, `Write --${name} <value>.`)
    texts.set(input, [...(texts.get(input) ?? []), text])
  }
  return Object.fromEntries([...texts].map(([input, values]) => [input.field, valueOf(input, values, cwd)]))
}

const findInput = (inputs: readonly Input[], name: string): Input | undefined =>
  inputs.find((input) => input.name === name || input.field === name)

function valueOf({ name, schema }: Input, texts: string[], cwd: string): unknown {
  const kind = kindOf(schema)
  if (kind !== 'texts' && texts.length > 1)
    throw new UsageError(`--${name} is set ${texts.length} times.`, `Set --${name} once.`)
  return readValue({ name, kind, soleField: soleField(schema) }, kind === 'texts' ? texts : texts[0]!, cwd)
}

function unknownInput(slug: string, name: string, inputs: readonly Input[]): UsageError {
  const near = nearestName(
    name,
    inputs.map((input) => input.name),
  )
  const all = inputs.map((input) => `--${input.name}`).join(', ')
  return new UsageError(
    `--${name} is not an input of ${slug}.${near === undefined ? '' : ` Did you mean --${near}?`}`,
    all ? `Its inputs are ${all}.` : 'It has no inputs.',
  )
}
