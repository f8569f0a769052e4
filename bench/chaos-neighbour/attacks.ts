import type { Load } from '../execute/callers.ts'

/** Where the hostile tenant calls, with which key, and a session of its own. */
export interface Target {
  url: string
  key: string
  sessionId: string
}
type Attack = (target: Target) => Omit<Load, 'seconds'>

const TOOL = '/api/v3.1/tools/execute/PARSE_GET_OBJECT'
const headersOf = ({ key }: Target) => ({ 'x-api-key': key })
const readObject = (id: string) =>
  JSON.stringify({ user_id: 'u-17', arguments: { class_name: 'Score', object_id: id } })
/** Every response is as good as any other: the attacker does not read them. */
const ANY = /[^]?/

/** What one tenant can do to the others of a server with nothing but its own key, or without one. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'many calls': (target) => ({
    url: target.url,
    path: TOOL,
    headers: headersOf(target),
    body: readObject('kb1'),
    callers: 64,
    good: ANY,
  }),
  'large responses': (target) => ({
    url: target.url,
    path: TOOL,
    headers: headersOf(target),
    body: readObject('kb4096'),
    callers: 8,
    good: ANY,
  }),
  'an application that is slow': (target) => ({
    url: target.url,
    path: TOOL,
    headers: headersOf(target),
    body: readObject('slow5'),
    callers: 256,
    good: ANY,
  }),
  'nested bodies of 1 MB': (target) => ({
    url: target.url,
    path: TOOL,
    headers: headersOf(target),
    body: `{"user_id":"u-17","arguments":{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}}`,
    callers: 4,
    good: ANY,
  }),
  'invalid keys': (target) => ({
    url: target.url,
    path: TOOL,
    headers: { 'x-api-key': 'ak_AAAAAAAAAAAAAAAAAAAA' },
    body: readObject('kb1'),
    callers: 32,
    good: ANY,
  }),
  searches: (target) => ({
    url: target.url,
    path: `/api/v3.1/tool_router/session/${target.sessionId}/search`,
    headers: headersOf(target),
    body: JSON.stringify({
      queries: [{ use_case: 'find every unread mail of the finance team and post it to a channel' }],
    }),
    callers: 16,
    good: ANY,
  }),
}
