import type { ToolManifest } from '../../manifest/format/index.ts'
import { checkManifest } from '../check.ts'
import { nameOfHost } from '../host-name.ts'
import { isObject, type Json, getOwn, nonEmptyString } from '../json.ts'
import type { Imported, ImportOptions, OperationOutcome } from '../openapi/convert.ts'
import { type Cause, ImportRejected } from '../import-rejected.ts'
import { type Nameable, slugsFor, toolkitSlug } from '../tools/slugs.ts'
import { plainText, wordsOf } from '../tools/words.ts'
import { schemesOf } from './auth.ts'
import type { McpListing } from './listing.ts'
import { nameOf, toolLabel, toolOf } from './tool.ts'

/** What a tool is, whatever it is called here: `tools/call search_docs`. */
const identityOf = (name: string): string => `tools/call ${name}`

/**
 * Converts the listing of a server to a toolkit without network access. A tool that cannot be called is left
 * out and reported. @throws ImportRejected
 */
export function convertMcp(listing: McpListing, options: ImportOptions): Imported {
  const { serverInfo, tools } = listing
  const title = titleOf(listing)
  const name = options.name ?? (plainText(title, 80) || 'MCP server')
  const slug = options.slug ?? slugOf(title)
  const refused: OperationOutcome[] = []
  const refuse = (operation: string, cause: Cause, reason: string) =>
    void refused.push({ operation, cause, reason })
  const definitions = new Map<string, Json>()
  tools.forEach((tool, index) => {
    const own = nameOf(tool)
    if (own === undefined || !isObject(tool))
      refuse(toolLabel(tool, index), 'unsafe_name', 'The tool has no name that could be called.')
    else if (definitions.has(own))
      refuse(identityOf(own), 'unsafe_name', 'The server lists two tools of this name; the first is taken.')
    else definitions.set(own, tool)
  })
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
  const made: { operation: string; tool: ToolManifest }[] = []
  for (const [own, tool] of definitions) {
    try {
      made.push({ operation: identityOf(own), tool: toolOf(tool, slugs.get(identityOf(own))!, name) })
    } catch (error) {
      if (!(error instanceof ImportRejected)) throw error
      refuse(identityOf(own), error.why, error.message)
    }
  }
  const { schemes, notes } = options.auth
    ? { schemes: [...options.auth], notes: [] }
    : schemesOf(listing.signIn)
  const site = getOwn(serverInfo, 'websiteUrl')
  const toolkit: Imported['toolkit'] = {
    slug,
    name,
    description: descriptionOf(listing, name),
    ...(typeof site === 'string' && /^https:\/\/\S{1,500}$/.test(site) && { app_url: site }),
    categories: ['imported'],
    base_url: (options.server ?? listing.address).replaceAll('{', '{{'),
    auth: schemes,
  }
  const wrong = checkManifest(
    toolkit,
    made.map(({ tool }) => tool),
  )
  for (const { operation, tool } of made)
    if (wrong.has(tool.slug)) refuse(operation, 'manifest', wrong.get(tool.slug)!)
  const good = made.filter(({ tool }) => !wrong.has(tool.slug))
  if (good.length === 0)
    throw new ImportRejected(
      'no_operations',
      tools.length === 0
        ? 'The MCP server lists no tools.'
        : `None of ${tools.length} tools can be called; the first: ${refused[0]?.reason ?? ''}`,
    )
  return {
    toolkit,
    tools: good.map(({ tool }) => tool),
    origins: Object.fromEntries(good.map(({ operation, tool }) => [operation, tool.slug])),
    report: {
      title: name,
      version: nonEmptyString(getOwn(serverInfo, 'version'))?.slice(0, 100),
      operations: tools.length,
      refused,
      notes,
    },
  }
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
