import type { ToolEntry } from '../types/index.ts'

/** What the configuration of a session or an MCP server lets a caller see. Every field can only narrow. */
export interface Visibility {
  /** Toolkits to show, or toolkits to hide. Absent: all are shown. Slugs in any case. */
  readonly toolkits?:
    | { readonly enable: readonly string[] }
    | { readonly disable: readonly string[] }
    | undefined
  /** By toolkit. Usually one kind of list is set; several apply in the order of `visibilityFilter`. */
  readonly tools?: Readonly<Record<string, ToolLists>> | undefined
  /** For toolkits whose entry in `tools` sets nothing of its own. */
  readonly tags?: TagLists | undefined
  /** Toolkit to the tools that its auth configs allow; no entry or `null` allows all. */
  readonly allowed?: ReadonlyMap<string, readonly string[] | null> | undefined
}

export interface ToolLists {
  readonly enable?: readonly string[] | undefined
  readonly disable?: readonly string[] | undefined
  readonly tags?: TagLists | undefined
}
export interface TagLists {
  readonly enable?: readonly string[] | undefined
  readonly disable?: readonly string[] | undefined
}

/** The properties of a tool that decide whether it is visible. */
export type ToolRef = Pick<ToolEntry, 'slug' | 'toolkit' | 'tags'>

type ToolPredicate = (tool: ToolRef) => boolean

const allowAll: ToolPredicate = () => true

/**
 * Returns the one rule that lists, search, schemas and every way to execute use: whether a tool exists for
 * the caller. In order: toolkits; the list of the tool's toolkit, which takes precedence over tags; tags of
 * the toolkit, which replace the general ones; general tags. The tools that auth configs allow narrow the
 * rest.
 * @param current returns the present slug of a renamed tool, so that lists may use the former one
 */
export function visibilityFilter(
  { toolkits, tools = {}, tags, allowed }: Visibility,
  current: (slug: string) => string = (slug) => slug,
): (tool: ToolRef) => boolean {
  const currentSlugs = (list: readonly string[]): ReadonlySet<string> =>
    new Set(list.map((slug) => current(slug.toUpperCase())))
  const passesToolkits = toolkitRule(toolkits)
  const passesTags = tagRule(tags)
  const rulesByToolkit = new Map(
    Object.entries(tools).map(([toolkit, lists]) => [
      toolkit.toLowerCase(),
      listRule(lists, currentSlugs, passesTags),
    ]),
  )
  const allowedByToolkit = new Map(
    [...(allowed ?? [])].map(([toolkit, list]) => [toolkit.toLowerCase(), list && currentSlugs(list)]),
  )
  return (tool) =>
    passesToolkits(tool) &&
    (rulesByToolkit.get(tool.toolkit) ?? passesTags)(tool) &&
    (allowedByToolkit.get(tool.toolkit)?.has(tool.slug) ?? true)
}

function toolkitRule(toolkits: Visibility['toolkits']): ToolPredicate {
  if (!toolkits) return allowAll
  const isEnableList = 'enable' in toolkits
  const listed = new Set(
    ('enable' in toolkits ? toolkits.enable : toolkits.disable).map((slug) => slug.toLowerCase()),
  )
  return ({ toolkit }) => listed.has(toolkit) === isEnableList
}

function listRule(
  { enable, disable, tags }: ToolLists,
  currentSlugs: (list: readonly string[]) => ReadonlySet<string>,
  generalTags: ToolPredicate,
): ToolPredicate {
  if (enable) {
    const enabled = currentSlugs(enable)
    return ({ slug }) => enabled.has(slug)
  }
  const disabled = disable && currentSlugs(disable)
  const passesTags = tags ? tagRule(tags) : disabled ? allowAll : generalTags
  return (tool) => !disabled?.has(tool.slug) && passesTags(tool)
}

/** An empty list of enabled tags does not restrict. */
function tagRule({ enable = [], disable = [] }: TagLists = {}): ToolPredicate {
  if (!enable.length && !disable.length) return allowAll
  return ({ tags }) =>
    (!enable.length || enable.some((tag) => tags.includes(tag))) && !disable.some((tag) => tags.includes(tag))
}
