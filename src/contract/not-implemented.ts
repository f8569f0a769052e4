import { type TObject, type TSchema, Type } from 'typebox'
import { type Area, AREAS, type Audience, type Permission, type Route, route } from './route.ts'

type Line = readonly [
  id: string,
  method: Route['method'],
  path: string,
  area: Area | 'none',
  summary: string,
  audience?: Audience,
  instead?: string,
]

/** The channel is one of a third party, whose client library dials its own hosts only. */
const INSTEAD_OF_REALTIME =
  'events are not sent through a realtime channel. Subscribe a webhook, follow GET /api/v3.1/events/stream, or run `patchbay listen --forward <address>`.'

// Operations of the API that later releases build; until then they answer 501 with the envelope.
const LINES: readonly Line[] = [
  [
    'realtime.credentials',
    'GET',
    '/internal/sdk/realtime/credentials',
    'triggers',
    'Credentials of the realtime channel',
    'project',
    INSTEAD_OF_REALTIME,
  ],
  [
    'realtime.auth',
    'POST',
    '/internal/sdk/realtime/auth',
    'triggers',
    'Join the realtime channel',
    'project',
    INSTEAD_OF_REALTIME,
  ],
]

/** Reading needs less than changing, where the area knows both; joining a channel changes nothing. */
function levelOf(id: string, method: Route['method'], area: Area): Permission['level'] {
  const [only, second] = AREAS[area]
  return second === undefined ? only : method === 'GET' || id === 'realtime.auth' ? 'read' : 'write'
}

const paramsOf = (path: string): TObject =>
  Type.Object(
    Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
        name,
        Type.String({ minLength: 1, maxLength: 256 }),
      ]),
    ),
  )

/** What to say of an operation that is not offered at all. */
export const insteadOf: ReadonlyMap<string, string> = new Map(
  LINES.flatMap(([id, , , , , , instead]) => (instead === undefined ? [] : [[id, instead]])),
)

export const unbuilt: readonly Route[] = LINES.map(
  ([id, method, path, area, summary, audience = 'project']) =>
    route({
      id,
      method,
      path,
      summary,
      audience,
      params: paramsOf(path),
      body: Type.Unknown() as TSchema,
      status: 501,
      errors: ['HTTP_NotImplemented'],
      unbuilt: true,
      ...(area === 'none' ? {} : { permission: { area, level: levelOf(id, method, area) } }),
    }),
)
