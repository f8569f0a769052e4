import type { ToolEntry } from '../types/index.ts'

/** What a caller may see, as it was configured: a session or an MCP server. Every member may only narrow. */
export interface Visibility {
  /** Toolkits shown, or toolkits hidden; absent: all are shown. Slugs in any case. */
  readonly toolkits?:
    | { readonly enable: readonly string[] }
    | { readonly disable: readonly string[] }
    | undefined
  /** By toolkit. One kind of list is meant to be given; where several are, all of them hold in the order of `visibility`. */
  readonly tools?: Readonly<Record<string, ToolLists>> | undefined
  /** For toolkits whose entry in `tools` says nothing of its own. */
  readonly tags?: TagLists | undefined
  /** Toolkit to the tools that its auth configs allow; a toolkit without an entry, or with `null`, is not narrowed. */
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

/** What is asked about a tool. */
export type ToolRef = Pick<ToolEntry, 'slug' | 'toolkit' | 'tags'>

type ToolPredicate = (tool: ToolRef) => boolean

const allowAll: ToolPredicate = () => true

/**
 * Whether a tool exists for the caller: the one rule that lists, search, schemas and every way of executing ask. In order: toolkits, the list of the tool's toolkit
 * (which goes before tags), tags of the toolkit (in place of the general ones), general tags; the tools that auth configs allow narrow what is left.
 * @param current answers the present slug of a tool that was renamed, so that lists may go on naming the former one
 */
export function visibilityFilter(
  { toolkits, tools = {}, tags, allowed }: Visibility,
  current: (slug: string) => string = (slug) => slug,
): (tool: ToolRef) => boolean {
  const slugs = (list: readonly string[]): ReadonlySet<string> =>
    new Set(list.map((slug) => current(slug.toUpperCase())))
  const shown = toolkitRule(toolkits)
  const general = tagRule(tags)
  const own = new Map(
    Object.entries(tools).map(([toolkit, lists]) => [toolkit.toLowerCase(), listRule(lists, slugs, general)]),
  )
  const narrowed = new Map(
    [...(allowed ?? [])].map(([toolkit, list]) => [toolkit.toLowerCase(), list && slugs(list)]),
  )
  return (tool) =>
    shown(tool) &&
    (own.get(tool.toolkit) ?? general)(tool) &&
    (narrowed.get(tool.toolkit)?.has(tool.slug) ?? true)
}

function toolkitRule(toolkits: Visibility['toolkits']): ToolPredicate {
  if (!toolkits) return allowAll
  const isListed = 'enable' in toolkits
  const named = new Set(
    ('enable' in toolkits ? toolkits.enable : toolkits.disable).map((slug) => slug.toLowerCase()),
  )
  return ({ toolkit }) => named.has(toolkit) === isListed
}

function listRule(
  { enable, disable, tags }: ToolLists,
  slugs: (list: readonly string[]) => ReadonlySet<string>,
  general: ToolPredicate,
): ToolPredicate {
  if (enable) {
    const named = slugs(enable)
    return ({ slug }) => named.has(slug)
  }
  const hidden = disable && slugs(disable)
  const passes = tags ? tagRule(tags) : hidden ? allowAll : general
  return (tool) => !hidden?.has(tool.slug) && passes(tool)
}

/** An empty list of enabled tags asks for none. */
function tagRule({ enable = [], disable = [] }: TagLists = {}): ToolPredicate {
  if (!enable.length && !disable.length) return allowAll
  return ({ tags }) =>
    (!enable.length || enable.some((tag) => tags.includes(tag))) && !disable.some((tag) => tags.includes(tag))
}
