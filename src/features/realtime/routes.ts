import * as contract from '../../contract/triggers/index.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import type { Api } from '../../platform/http/call.ts'
import type { RealtimeDeps } from './deps.ts'
import { channelOf, formatGrant } from './grant.ts'
import { clusterOf } from './server.ts'

/** The operations with which clients find the realtime channel and subscribe to it. */
export function realtimeRoutes(
  api: Api,
  { encryptor, clock, publicUrl }: Pick<RealtimeDeps, 'encryptor' | 'clock' | 'publicUrl'>,
): void {
  const { protocol, origin } = new URL(publicUrl)
  api.on(contract.readRealtimeCredentials, async ({ projectId }) => {
    if (protocol !== 'https:')
      throw new ApiError(
        'TriggerInstance_RealtimeNeedsHttps',
        `The realtime channel is only reachable with https, but the public URL of this server is ${origin}.`,
      )
    return { project_id: projectId, pusher_key: projectId, pusher_cluster: clusterOf(publicUrl) }
  })
  api.on(contract.authorizeRealtimeChannel, async ({ projectId, keyId, body }) => {
    const channel = channelOf(projectId)
    if (body.channel_name !== channel)
      throw badRequest(`Error in payload.channel_name: must be ${channel}, the channel of this project`)
    return { auth: formatGrant(encryptor, { projectId, keyId }, body.socket_id, clock.now()) }
  })
}
