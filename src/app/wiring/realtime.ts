import { authenticateAsKey, findKeyById } from '../../features/projects/index.ts'
import { createRealtimeServer, type RealtimeDeps, realtimeRoutes } from '../../features/realtime/index.ts'
import { readRealtimeCredentials } from '../../contract/triggers/index.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import type { EventsPart } from './events.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** The realtime channel, at the port of the API. */
export function wireRealtime(
  { db, encryptor, clock, log, publicUrl }: PlatformPart,
  { api, http }: HttpPart,
  { streams }: EventsPart,
) {
  const deps: RealtimeDeps = {
    db,
    encryptor,
    clock,
    log,
    publicUrl,
    streams,
    async checkAccess({ keyId, projectId }) {
      const holder = await findKeyById(db, keyId)
      if (!holder) throw new ApiError('HTTP_Unauthorized', 'The API key of the subscription was deleted.')
      // The IP address was checked when the channel was authorized: a WebSocket does not change it.
      await authenticateAsKey(
        db,
        { ...holder, allowed_ips: [] },
        {
          audience: 'project',
          permission: readRealtimeCredentials.permission,
          ip: '',
          projectId,
          now: clock.now(),
        },
      )
    },
  }
  realtimeRoutes(api, deps)
  const server = createRealtimeServer(deps)
  server.attach(http.server)
  return { close: () => server.close() }
}
