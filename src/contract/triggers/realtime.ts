import { Type } from '../schema-type.ts'
import { route } from '../route.ts'

const readAccess = { audience: 'project', permission: { area: 'triggers', level: 'read' } } as const

export const readRealtimeCredentials = route({
  ...readAccess,
  id: 'realtime.credentials',
  method: 'GET',
  path: '/internal/sdk/realtime/credentials',
  summary: 'Read where the realtime channel is',
  description:
    'Returns what a published client needs to connect to the realtime channel, which speaks the Pusher Channels ' +
    'protocol, version 7. The client connects with TLS only, so the public URL of the server must use https. Other ' +
    'Pusher clients connect to `/app/{pusher_key}` on the host of the server.',
  example: { needs: 'a public URL with https' },
  reply: Type.Object({
    project_id: Type.String({
      description: 'Id of the project. The channel is `private-{project_id}_triggers`.',
    }),
    pusher_key: Type.String({
      description: 'Key of the application in the Pusher protocol. It is not secret.',
    }),
    pusher_cluster: Type.String({
      description: 'Value for the option `cluster` of Pusher clients. It contains the host of this server.',
    }),
  }),
  errors: ['TriggerInstance_RealtimeNeedsHttps'],
})

export const authorizeRealtimeChannel = route({
  ...readAccess,
  id: 'realtime.auth',
  method: 'POST',
  path: '/internal/sdk/realtime/auth',
  summary: 'Authorize a subscription to the realtime channel',
  description:
    'Returns the `auth` value with which one connection subscribes to the channel of the project, within a minute. ' +
    'The channel sends each event of a trigger as `trigger_to_client`, in chunks if it is large. The subscription ' +
    'ends when the API key is revoked.',
  example: {
    body: { socket_id: '81240.52013', channel_name: 'private-proj_7hQ2vLk9TmXa_triggers' },
    needs: 'a connection to the realtime channel',
  },
  audit: false,
  acceptsForms: true,
  body: Type.Object({
    socket_id: Type.String({
      pattern: '^\\d{1,20}\\.\\d{1,20}$',
      maxLength: 41,
      description: 'Id of the connection, from `pusher:connection_established`.',
    }),
    channel_name: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Channel of the project: `private-{project_id}_triggers`.',
    }),
  }),
  reply: Type.Object({
    auth: Type.String({ description: 'Value for `auth` of the message `pusher:subscribe`.' }),
  }),
})
