import { routes } from '../../contract/index.ts'
import type { Route } from '../../contract/route.ts'
import type { ApiRequest } from '../api-client/call.ts'
import type { Schema } from '../arguments/values.ts'

/** An operation of the API as an MCP tool: its input has the path, query and body fields at one level. */
export interface OperationTool {
  route: Route
  name: string
  description: string
  inputSchema: Schema & { type: 'object' }
  /** Where each input goes. */
  places: ReadonlyMap<string, 'params' | 'query' | 'body'>
}

/**
 * Operations that are tools of their own: those that an agent needs to set up a project. Every other operation is found
 * with `find_operations` and called with `call_operation`, so that the list of tools stays short.
 */
const DIRECT: ReadonlySet<string> = new Set([
  'session.info',
  'toolkits.list',
  'toolkits.read',
  'toolkits.setup',
  'toolkits.import',
  'tools.list',
  'tools.read',
  'tools.execute',
  'authConfigs.create',
  'authConfigs.list',
  'authConfigs.update',
  'connectedAccounts.link',
  'connectedAccounts.list',
  'connectedAccounts.read',
  'logs.search',
  'logs.show',
  'policies.create',
  'policies.list',
  'policies.check',
  'triggerTypes.list',
  'triggers.upsert',
  'webhooks.create',
  'mcp.create',
  'sessions.create',
])

/** Operations that end: a stream would never return. */
const callable = (isReadOnly: boolean): Route[] =>
  routes.filter(({ streams, method }) => !streams && (!isReadOnly || method === 'GET'))

const snakeCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The name of the tool of an operation: `authConfigs.create` is `auth_configs_create`. */
export const toolName = (id: string): string => snakeCase(id).replaceAll('.', '_')

/**
 * Returns the tools of single operations, in the order of the API. `isReadOnly` leaves out those that change something.
 */
export function directTools(isReadOnly: boolean): OperationTool[] {
  return callable(isReadOnly)
    .filter(({ id }) => DIRECT.has(id))
    .map(toTool)
}

/** Finds the operation of an id such as `authConfigs.create`. */
export function findOperation(id: string, isReadOnly: boolean): OperationTool | undefined {
  const route = callable(isReadOnly).find((candidate) => candidate.id === id)
  return route && toTool(route)
}

function toTool(route: Route): OperationTool {
  const places = new Map<string, 'params' | 'query' | 'body'>()
  const properties: Record<string, Schema> = {}
  const required = new Set<string>()
  // Later places have priority: a field of the query and of the body is the same field in different versions.
  for (const place of ['query', 'body', 'params'] as const) {
    const schema = route[place] as Schema & { required?: string[] }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      properties[name] = property
      places.set(name, place)
    }
    for (const name of schema.required ?? []) required.add(name)
  }
  return {
    route,
    places,
    name: toolName(route.id),
    description: `${route.summary}. ${route.description}`,
    inputSchema: { type: 'object', properties, required: [...required] } as OperationTool['inputSchema'],
  }
}

/** Places the inputs of a call. @throws UnknownInput if the operation does not have one of them */
export function toRequest(
  { route, places }: OperationTool,
  inputs: Readonly<Record<string, unknown>>,
): ApiRequest {
  const parts = { params: {} as Record<string, string>, query: {} as Record<string, unknown> }
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(inputs)) {
    const place = places.get(name)
    if (place === 'params') parts.params[name] = String(value)
    else if (place === 'query') parts.query[name] = value
    else if (place === 'body' || acceptsAnyField(route)) body[name] = value
    else throw new UnknownInput(name, route.id, [...places.keys()])
  }
  const missing = [...places]
    .filter(([name, place]) => place === 'params' && !parts.params[name])
    .map(([name]) => name)
  if (missing.length > 0) throw new MissingInput(missing, route.id)
  const hasBody = Object.keys((route.body as Schema).properties ?? {}).length > 0 || acceptsAnyField(route)
  return { ...parts, body: hasBody && route.method !== 'GET' ? body : undefined }
}

const acceptsAnyField = ({ body }: Route): boolean =>
  Boolean((body as { anyOf?: unknown[]; additionalProperties?: unknown }).anyOf) ||
  Boolean((body as { additionalProperties?: unknown }).additionalProperties)

/** An input that the operation does not have. */
export class UnknownInput extends Error {
  constructor(name: string, id: string, known: string[]) {
    super(`${id} has no input "${name.slice(0, 100)}". It has: ${known.join(', ') || 'none'}.`)
    this.name = 'UnknownInput'
  }
}

/** A part of the URL that is missing. */
export class MissingInput extends Error {
  constructor(names: string[], id: string) {
    super(`${id} needs ${names.join(' and ')}.`)
    this.name = 'MissingInput'
  }
}

const FOUND_MAX = 12

/** Finds operations by the words of a request, best first. */
export function searchOperations(text: string, isReadOnly: boolean): Route[] {
  const words = [...new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? [])]
  return callable(isReadOnly)
    .map((route) => ({ route, score: scoreOf(route, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FOUND_MAX)
    .map(({ route }) => route)
}

/** Words of the id and the title count more than words of the description. A plural matches its singular. */
function scoreOf({ id, summary, description }: Route, words: readonly string[]): number {
  const title = `${snakeCase(id)} ${summary}`.toLowerCase()
  const rest = description.toLowerCase()
  return words.reduce((sum, word) => {
    const stem = word.length > 4 ? word.replace(/(?:es|s|ing|ed)$/, '') : word
    return sum + (title.includes(stem) ? 3 : rest.includes(stem) ? 1 : 0)
  }, 0)
}
