import { isObject, type Json, object } from '../../src/catalog/importers/json.ts'
import { shortened } from '../../src/catalog/importers/tools/words.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import { actionSentence } from './action-sentence.ts'

const DESCRIPTION_MAX = 800
const NAMES_SHOWN = 6
const MEMBERS_SHOWN = 5
/** Arguments about the form of a response or the client, not about the object: a description need not name them. */
const TECHNICAL =
  /^(opt_)?(pretty|prettyprint|fields|expand|select|alt|callback|uploadtype)$|^(if-(none-)?match|idempotency-key|x-[\w-]+|on-behalf-of|accept|[\w-]*api-version|prefer|consistencylevel)$/i

/** What is known of a tool when its texts are written. */
export interface DescribedTool {
  /** What the tool does, if a person wrote it. Otherwise a rule makes it of slug, path and effect. */
  readonly sentence?: string | undefined
  /** How the tool can delete something although it is there to create or update. */
  readonly destruction?: string | undefined
  readonly slug: string
  readonly toolkitSlug: string
  readonly toolkitName: string
  readonly effect: ToolManifest['effect']
  readonly path: string
  readonly input: Json
  readonly output: Json
  readonly pagination: ToolManifest['pagination']
  readonly deprecated: boolean
  /** Arguments of the path, by name, to the tool that returns their values. */
  readonly sources: ReadonlyMap<string, string>
  readonly pathArguments: readonly string[]
}

/**
 * Describes a tool for a model from the facts: what it does, what it needs and from which tool, what can be
 * filtered, how it is paged and what it returns.
 */
export function describeTool(tool: DescribedTool): string {
  const sentences = [
    tool.sentence ?? actionSentence(tool),
    tool.destruction ?? '',
    sourcesOf(tool),
    argumentsOf(tool),
    pagesOf(tool),
    resultOf(tool),
    tool.deprecated ? 'The vendor marks this operation as deprecated.' : '',
  ].filter(Boolean)
  return shortened(sentences.join(' '), DESCRIPTION_MAX)
}

function sourcesOf({ sources, slug }: DescribedTool): string {
  const byTool = Map.groupBy(
    [...sources].filter(([, tool]) => tool !== slug),
    ([, tool]) => tool,
  )
  return [...byTool]
    .slice(-2)
    .map(([tool, names]) => `Get ${listed(names.map(([name]) => name))} from ${tool}.`)
    .join(' ')
}

function argumentsOf({ input, effect, pathArguments, pagination }: DescribedTool): string {
  const names = Object.keys(object(input['properties']))
  const paging = new Set([pagination?.argument, pagination?.size])
  const required = new Set(Array.isArray(input['required']) ? (input['required'] as string[]) : [])
  const own = names.filter(
    (name) =>
      !pathArguments.includes(name) && !paging.has(name) && (required.has(name) || !TECHNICAL.test(name)),
  )
  const needed = own.filter((name) => required.has(name))
  const optional = own.filter((name) => !required.has(name))
  const verb = effect === 'read' ? 'Filters:' : 'Optional:'
  return [
    needed.length > 0 ? `Requires ${listed(needed)}${membersOf(input, needed)}.` : '',
    optional.length > 0 ? `${verb} ${listed(optional)}${membersOf(input, optional)}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Members of the only argument: `body` alone says nothing. */
function membersOf(schema: Json, names: readonly string[]): string {
  const [name = ''] = names
  const argument = object(object(schema['properties'])[name])
  const branches = ['allOf', 'anyOf', 'oneOf']
    .flatMap((key) => (argument[key] ?? []) as unknown[])
    .map(object)
  const members = [argument, object(argument['items']), ...branches]
    .map(({ properties }) => Object.keys(object(properties)).slice(0, MEMBERS_SHOWN))
    .find((own) => own.length > 0)
  return names.length === 1 && members ? ` with ${listed(members)}` : ''
}

function pagesOf({ pagination }: DescribedTool): string {
  if (!pagination) return ''
  const size = pagination.size === undefined ? '' : `, \`${pagination.size}\` sets their length`
  return `Returns pages: \`${pagination.argument}\` requests the next one${size}.`
}

function resultOf({ output }: DescribedTool): string {
  const properties = object(output['properties'])
  const names = Object.keys(properties)
  if (names.length === 0) return ''
  const lists = names.filter((name) => [object(properties[name])['type']].flat().includes('array'))
  const [list] = lists
  const members = list === undefined ? [] : Object.keys(object(itemOf(properties[list])['properties']))
  return lists.length === 1 && members.length > 0
    ? `Items of \`${list!}\` have ${listed(members)}.`
    : `Returns ${listed(names)}${membersOf(output, names)}.`
}

const itemOf = (schema: unknown): Json => object(isObject(schema) ? schema['items'] : undefined)

function listed(names: readonly string[]): string {
  const listing = names.slice(0, NAMES_SHOWN).map((name) => `\`${name}\``)
  if (names.length > NAMES_SHOWN) return `${listing.join(', ')} and others`
  return listing.length < 2 ? listing.join('') : `${listing.slice(0, -1).join(', ')} and ${listing.at(-1)!}`
}
