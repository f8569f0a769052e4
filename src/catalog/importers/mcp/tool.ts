import type { ToolManifest } from '../../manifest/format/index.ts'
import { effectOfName } from '../tools/effect.ts'
import { isObject, type Json, getOwn, nonEmptyString } from '../json.ts'
import { outputOf } from '../tools/output.ts'
import { checkShape } from '../openapi/read-document.ts'
import { references } from '../openapi/references.ts'
import { quoted, ImportRejected } from '../import-rejected.ts'
import { schemaWriter } from '../schema/writer.ts'
import { inWords, plainText, shortened } from '../tools/words.ts'
import { headerArguments } from './header-arguments.ts'
import { inputFrom } from './input.ts'

const NAME_MAX = 80
const DESCRIPTION_MAX = 1_000
const MCP_NAME_MAX = 256

/** The name of a tool in a list; undefined when it has none that could be called. */
export function nameOf(tool: unknown): string | undefined {
  const name = getOwn(tool, 'name')
  return typeof name === 'string' &&
    name !== '' &&
    name.length <= MCP_NAME_MAX &&
    !/[\p{Cc}]/u.test(name) &&
    name.isWellFormed()
    ? name
    : undefined
}

/** Converts one tool of a server. Its annotations are untrusted hints. @throws ImportRejected */
export function toolOf(tool: Json, slug: string, title: string): ToolManifest {
  const name = nameOf(tool)!
  const schema = getOwn(tool, 'inputSchema')
  if (!isObject(schema)) throw new ImportRejected('not_readable', 'The tool has no `inputSchema`.')
  checkShape(schema)
  if (getOwn(getOwn(tool, 'execution'), 'taskSupport') === 'required')
    throw new ImportRejected(
      'unsupported_method',
      'The tool runs only as a task, which a call cannot wait for.',
    )
  const hints = getOwn(tool, 'annotations')
  const said = nonEmptyString(getOwn(tool, 'title')) ?? nonEmptyString(getOwn(hints, 'title'))
  const headers = headerArguments(schema)
  return {
    slug,
    name: shortened(plainText(said ?? '', 200) || inWords(name), NAME_MAX),
    description: descriptionOf(tool, said ?? inWords(name), title),
    ...(said !== undefined && { human_description: shortened(plainText(said, 120), 120) || name }),
    ...hintsOf(name, hints),
    input: inputFrom(schema),
    output: outputFrom(getOwn(tool, 'outputSchema')),
    mcp: { tool: name, ...(Object.keys(headers).length > 0 && { headers }) },
  }
}

function descriptionOf(tool: Json, name: string, title: string): string {
  const said = plainText(nonEmptyString(getOwn(tool, 'description')) ?? '', DESCRIPTION_MAX)
  return said.length >= 20
    ? said
    : shortened(
        `${(said || name).replace(/[.\s]+$/, '')}: the tool ${plainText(nameOf(tool)!, 100)} of ` +
          `${plainText(title, 80) || 'the server'}.`,
        DESCRIPTION_MAX,
      )
}

/**
 * What a call does. The server's word counts where it gives one; that a tool only reads is not believed of
 * one whose name begins with a deletion. Without a word its name decides, and a name makes no call look
 * harmless: what neither says is taken for a change.
 */
function hintsOf(name: string, hints: unknown): Pick<ToolManifest, 'effect' | 'idempotent' | 'open_world'> {
  const hint = (key: string) => {
    const value = getOwn(hints, key)
    return typeof value === 'boolean' ? value : undefined
  }
  const first = effectOfName(name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).find(Boolean) ?? '')
  const effect =
    hint('readOnlyHint') === true && first !== 'delete'
      ? 'read'
      : hint('destructiveHint') === true
        ? 'delete'
        : hint('destructiveHint') === false
          ? constructive(first)
          : (effectOfName(name) ?? 'update')
  const idempotent =
    effect === 'read' ? undefined : (hint('idempotentHint') ?? (effect === 'delete' ? false : undefined))
  return {
    effect,
    ...(idempotent !== undefined && { idempotent }),
    ...(hint('openWorldHint') === false && { open_world: false }),
  }
}

const constructive = (first: ReturnType<typeof effectOfName>) => (first === 'create' ? 'create' : 'update')

function outputFrom(schema: unknown): Json {
  if (!isObject(schema)) return { type: 'object' }
  checkShape(schema)
  return outputOf({ value: schema, base: '' }, schemaWriter(references(schema, '', new Map()), 'result'))
}

/** For reasons: the tool as a list calls it. */
export const toolLabel = (tool: unknown, index: number): string =>
  nameOf(tool) ??
  `tool ${index + 1}${typeof getOwn(tool, 'name') === 'string' ? ` ${quoted(String(getOwn(tool, 'name')), 60)}` : ''}`
