import type { ToolManifest } from '../../manifest/format/index.ts'
import { checkManifest } from '../check.ts'
import { nameOfHost } from '../host-name.ts'
import { isObject, type Json, getOwn, nonEmptyString } from '../json.ts'
import type { Imported, ImportOptions, OperationOutcome } from '../imported.ts'
import { type Cause, ImportRejected } from '../import-rejected.ts'
import { type Nameable, slugsFor, toolkitSlug } from '../tools/slugs.ts'
import { plainText, wordsOf } from '../tools/words.ts'
import { schemesOf } from './auth.ts'
import type { McpListing } from './listing.ts'
import { nameOf, toolLabel, toolOf } from './tool.ts'

/** What a tool is, whatever it is called here: `tools/call search_docs`. */
const identityOf = (name: string): string => `tools/call ${name}`

interface BuiltTool {
  readonly operation: string
  readonly tool: ToolManifest
}

/** Collects what is left out, with the reason. */
class RejectedTools {
  readonly all: OperationOutcome[] = []

  add(operation: string, cause: Cause, reason: string): void {
    this.all.push({ operation, cause, reason })
  }
}

/**
 * Converts the listing of a server to a toolkit without network access. A tool that cannot be called is left
 * out and reported. @throws ImportRejected
 */
export function convertMcp(listing: McpListing, options: ImportOptions): Imported {
  const title = titleOf(listing)
  const name = options.name ?? (plainText(title, 80) || 'MCP server')
  const slug = options.slug ?? slugOf(title)
  const rejected = new RejectedTools()
  const built = buildTools(definitionsOf(listing, rejected), { slug, name, options }, rejected)
  const { schemes, notes } = options.auth
    ? { schemes: [...options.auth], notes: [] }
    : schemesOf(listing.signIn)
  const toolkit = toolkitOf(listing, { slug, name, schemes, options })
  const tools = validTools(toolkit, built, rejected)
  const count = listing.tools.length
  if (tools.length === 0)
    throw new ImportRejected(
      'no_operations',
      count === 0
        ? 'The MCP server lists no tools.'
        : `None of ${count} tools can be called; the first: ${rejected.all[0]?.reason ?? ''}`,
    )
  return {
    toolkit,
    tools: tools.map(({ tool }) => tool),
    origins: Object.fromEntries(tools.map(({ operation, tool }) => [operation, tool.slug])),
    report: {
      title: name,
      version: nonEmptyString(getOwn(listing.serverInfo, 'version'))?.slice(0, 100),
      operations: count,
      refused: rejected.all,
      notes,
    },
  }
}

/** The tools of a listing by their names on the server. */
function definitionsOf({ tools }: McpListing, rejected: RejectedTools): Map<string, Json> {
  const definitions = new Map<string, Json>()
  tools.forEach((tool, index) => {
    const name = nameOf(tool)
    if (name === undefined || !isObject(tool))
      rejected.add(toolLabel(tool, index), 'unsafe_name', 'The tool has no name that could be called.')
    else if (definitions.has(name))
      rejected.add(
        identityOf(name),
        'unsafe_name',
        'The server lists two tools of this name; the first is taken.',
      )
    else definitions.set(name, tool)
  })
  return definitions
}

interface Naming {
  readonly slug: string
  readonly name: string
  readonly options: ImportOptions
}

function buildTools(
  definitions: ReadonlyMap<string, Json>,
  { slug, name, options }: Naming,
  rejected: RejectedTools,
): BuiltTool[] {
  const slugs = slugsFor(
    `${slug.toUpperCase()}_`,
    [...definitions.keys()].map((own): Nameable => ({
      method: 'call',
      path: own,
      id: own,
      identity: identityOf(own),
    })),
    options.former ?? new Map(),
  )
  const built: BuiltTool[] = []
  for (const [own, tool] of definitions) {
    const operation = identityOf(own)
    try {
      built.push({ operation, tool: toolOf(tool, slugs.get(operation)!, name) })
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      rejected.add(operation, error.why, error.message)
    }
  }
  return built
}

function toolkitOf(
  listing: McpListing,
  { slug, name, schemes, options }: Naming & { readonly schemes: Imported['toolkit']['auth'] },
): Imported['toolkit'] {
  const site = getOwn(listing.serverInfo, 'websiteUrl')
  return {
    slug,
    name,
    description: descriptionOf(listing, name),
    ...(typeof site === 'string' && /^https:\/\/\S{1,500}$/.test(site) && { app_url: site }),
    categories: ['imported'],
    base_url: (options.server ?? listing.address).replaceAll('{', '{{'),
    auth: schemes,
  }
}

/** The tools that the rules of manifests accept. */
function validTools(
  toolkit: Imported['toolkit'],
  built: readonly BuiltTool[],
  rejected: RejectedTools,
): BuiltTool[] {
  const faults = checkManifest(
    toolkit,
    built.map(({ tool }) => tool),
  )
  for (const { operation, tool } of built)
    if (faults.has(tool.slug)) rejected.add(operation, 'manifest', faults.get(tool.slug)!)
  return built.filter(({ tool }) => !faults.has(tool.slug))
}

const GENERIC = /^(mcp|server|mcp[ _-]?server|my[ _-]?(mcp[ _-]?)?server|app|index|default|unnamed|fastmcp)$/i

/** The server's title, else its name in words, else that of its host. */
function titleOf({ serverInfo, address }: McpListing): string {
  const title = nonEmptyString(getOwn(serverInfo, 'title'))
  const name = nonEmptyString(getOwn(serverInfo, 'name'))
  if (title !== undefined && !GENERIC.test(title.trim())) return title.trim()
  if (name !== undefined && !GENERIC.test(name.trim()))
    return /[\s]/.test(name.trim())
      ? name.trim()
      : wordsOf(name.slice(0, 200))
          .map((word) => (word === 'mcp' ? 'MCP' : `${word[0]!.toUpperCase()}${word.slice(1)}`))
          .join(' ') || name.trim()
  return nameOfHost(new URL(address).hostname) ?? 'MCP server'
}

/**
 * Ends in `mcp`, so that it does not collide with a toolkit for the application itself: `linear_mcp` next to
 * `linear`.
 */
function slugOf(title: string): string {
  const rest = title.replace(/\b(mcp|server)\b/gi, ' ').trim()
  return `${rest === '' ? 'remote' : toolkitSlug(rest).slice(0, 24).replace(/_+$/, '')}_mcp`
}

function descriptionOf({ serverInfo, instructions }: McpListing, name: string): string {
  const said = [getOwn(serverInfo, 'description'), instructions]
    .map((one) => plainText(nonEmptyString(one) ?? '', 300))
    .find((one) => one.length >= 20)
  return said ?? `Tools of the MCP server ${name}.`
}
