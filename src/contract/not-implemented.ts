import { type TObject, type TSchema, Type } from 'typebox'
import { type Permission, type Route, route } from './route.ts'

interface PlannedOperation {
  id: string
  method: Route['method']
  path: string
  permission: Permission
  summary: string
  description: string
  /** Text that tells callers which operations replace this one. */
  alternative: string
}

/** The realtime channel belongs to a third party, whose client library connects to its own hosts only. */
const INSTEAD_OF_REALTIME =
  'events are not sent through a realtime channel. Create a webhook subscription, follow ' +
  'GET /api/v3.1/events/stream, or run `patchbay listen --forward <url>`.'

/** Operations of the API that are not part of this release. They return 501 with the error envelope. */
const OPERATIONS: readonly PlannedOperation[] = [
  {
    id: 'realtime.credentials',
    method: 'GET',
    path: '/internal/sdk/realtime/credentials',
    permission: { area: 'triggers', level: 'read' },
    summary: 'Read the credentials of the realtime channel',
    description: 'Not part of this release: returns 501. Use webhook subscriptions or the event stream.',
    alternative: INSTEAD_OF_REALTIME,
  },
  {
    id: 'realtime.auth',
    method: 'POST',
    path: '/internal/sdk/realtime/auth',
    permission: { area: 'triggers', level: 'read' },
    summary: 'Join the realtime channel',
    description: 'Not part of this release: returns 501. Use webhook subscriptions or the event stream.',
    alternative: INSTEAD_OF_REALTIME,
  },
]

const pathParameters = (path: string): TObject =>
  Type.Object(
    Object.fromEntries(
      [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [
        name,
        Type.String({ minLength: 1, maxLength: 256 }),
      ]),
    ),
  )

/** Alternatives to the operations that are not implemented, by operation id. */
export const alternatives: ReadonlyMap<string, string> = new Map(
  OPERATIONS.map(({ id, alternative }) => [id, alternative]),
)

export const plannedRoutes: readonly Route[] = OPERATIONS.map(
  ({ id, method, path, permission, summary, description }) =>
    route({
      id,
      method,
      path,
      summary,
      description,
      example: { needs: 'a later release' },
      audience: 'project',
      permission,
      params: pathParameters(path),
      body: Type.Unknown() as TSchema,
      status: 501,
      errors: ['HTTP_NotImplemented'],
      isPlanned: true,
    }),
)
