import type { Load } from '../execute/callers.ts'

/** Where the hostile tenant calls, with which key, and a session of its own. */
export interface Target {
  url: string
  key: string
  sessionId: string
}
/** The calls of an attack. */
export interface Attack extends Omit<Load, 'seconds'> {
  /** Streams of logs that are open meanwhile. */
  streams?: number
  /** Executions of the project before the attack, so that lists of logs have rows. */
  executions?: number
}

const API = '/api/v3.1'
const READ = `${API}/tools/execute/PARSE_GET_OBJECT`
const UPDATE = `${API}/tools/execute/PARSE_UPDATE_OBJECT`
/** Every response is as good as any other: the attacker does not read them. */
const ANY = /[^]?/

type Call = Partial<Load> & Pick<Load, 'path' | 'callers'>
const calls = ({ url, key }: Target, { body = '', ...more }: Call): Omit<Load, 'seconds'> => ({
  url,
  headers: { 'x-api-key': key },
  body,
  good: ANY,
  ...more,
})

const execute = (args: object) => JSON.stringify({ user_id: 'u-17', arguments: args })
const readObject = (id: string) => execute({ class_name: 'Score', object_id: id })

/** Executions whose response is small. */
export const readCalls = (target: Target): Omit<Load, 'seconds'> =>
  calls(target, { path: READ, body: readObject('kb1'), callers: 16 })

/** Arguments that are valid: 5 MB of small values. */
const LARGE_UPDATE = execute({
  class_name: 'Score',
  object_id: 'kb1',
  data: {
    rows: Array.from({ length: 50_000 }, (_, n) => ({
      id: n,
      name: `row ${n}`,
      tags: ['a', 'b'],
      ok: true,
      note: 'x'.repeat(30),
    })),
  },
})
/** A message to the MCP server of a session: 9 MB of small values, for a tool that takes other arguments. */
const LARGE_MESSAGE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'SERVICE_GET_TOOL_SCHEMAS',
    arguments: { rows: Array.from({ length: 150_000 }, (_, n) => ({ id: n, note: 'x'.repeat(40) })) },
  },
})
/** A document whose import makes a thousand tools. */
const largeDocument = (description: string) => ({
  openapi: '3.1.0',
  info: { title: 'Hostile', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths: Object.fromEntries(
    Array.from({ length: 1_000 }, (_, n) => [
      `/things${n}/{id}`,
      {
        post: {
          operationId: `changeThing${n}`,
          summary: `Change thing ${n}`,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema: largeSchema(description) } } },
          responses: { 200: { description: 'Changed.' } },
        },
      },
    ]),
  ),
})
const largeSchema = (description: string) => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 30 }, (_, field) => [`field${field}`, { type: 'string', description }]),
  ),
})
/** Nothing is stored, so that each import is the first. */
const LARGE_IMPORT = JSON.stringify({
  slug: 'hostile_api',
  dry_run: true,
  content: largeDocument('A field of a thing.'),
})
/** Each import creates a version in which every tool differs from the version before. */
const CHANGED_IMPORTS = ['first', 'second', 'third', 'fourth'].map((word) =>
  JSON.stringify({ slug: 'hostile_api', content: largeDocument(`The ${word} description of a field.`) }),
)

/** What one tenant can do to the others of a server with nothing but its own key, or without one. */
export const ATTACKS: Readonly<Record<string, (target: Target) => Attack>> = {
  'many calls': (target) => ({ ...readCalls(target), callers: 64 }),
  'large responses': (target) => calls(target, { path: READ, body: readObject('kb4096'), callers: 8 }),
  'an application that is slow': (target) =>
    calls(target, { path: READ, body: readObject('slow5'), callers: 256 }),
  'large bodies': (target) => calls(target, { path: UPDATE, body: LARGE_UPDATE, callers: 4 }),
  'large MCP messages': (target) => {
    const { headers, ...load } = calls(target, {
      path: `/tool_router/${target.sessionId}/mcp`,
      body: LARGE_MESSAGE,
      callers: 4,
    })
    return { ...load, headers: { ...headers, accept: 'application/json, text/event-stream' } }
  },
  'nested bodies of 1 MB': (target) =>
    calls(target, {
      path: READ,
      body: `{"user_id":"u-17","arguments":{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`,
      callers: 4,
    }),
  'invalid keys': (target) =>
    calls(
      { ...target, key: 'ak_AAAAAAAAAAAAAAAAAAAA' },
      { path: READ, body: readObject('kb1'), callers: 32 },
    ),
  searches: (target) =>
    calls(target, {
      path: `${API}/tool_router/session/${target.sessionId}/search`,
      body: JSON.stringify({
        queries: [{ use_case: 'find every unread mail of the finance team and post it to a channel' }],
      }),
      callers: 16,
    }),
  'lists that search': (target) =>
    calls(target, { method: 'GET', path: `${API}/tools?limit=20&query=send+a+message`, callers: 16 }),
  'lists of 1,000 tools': (target) =>
    calls(target, { method: 'GET', path: `${API}/tools?limit=1000`, callers: 8 }),
  'lists of logs': (target) => ({
    ...calls(target, { path: `${API}/logs/tool_execution`, body: '{"limit":1000}', callers: 16 }),
    executions: 1_500,
  }),
  'streams of logs': (target) => ({
    ...readCalls(target),
    streams: 50,
  }),
  imports: (target) => calls(target, { path: `${API}/toolkits/import`, body: LARGE_IMPORT, callers: 4 }),
  'changed imports': (target) =>
    calls(target, { path: `${API}/toolkits/import`, body: CHANGED_IMPORTS, callers: 4 }),
}
