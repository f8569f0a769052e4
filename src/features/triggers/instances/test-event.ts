import { randomUUID } from 'node:crypto'
import { LATEST_VERSION } from '../../../catalog/index.ts'
import { ApiError, badRequest } from '../../../platform/http/api-error.ts'
import { publishTriggerEvents } from '../publish-trigger-events.ts'
import { samplePayload } from './sample-payload.ts'
import { readInstance, type TriggerDeps } from './service.ts'

const PAYLOAD_BYTES_MAX = 65_536

/**
 * Publishes an event of an instance with the given data, or with sample data of its type. It goes the way of every
 * event: log, webhook subscriptions, streams. Returns the data.
 * @throws ApiError 404, 410, and 400 for data that is too large
 */
export async function publishTestEvent(
  { db, catalogOf }: Pick<TriggerDeps, 'db' | 'catalogOf'>,
  projectId: string,
  id: string,
  requested: Record<string, unknown> | undefined,
): Promise<Record<string, unknown>> {
  if (requested && Buffer.byteLength(JSON.stringify(requested)) > PAYLOAD_BYTES_MAX)
    throw badRequest(`Error in payload.payload: must not have more than ${PAYLOAD_BYTES_MAX} bytes of JSON`)
  const catalog = await catalogOf(projectId)
  return db.begin(async (tx) => {
    const instance = await readInstance(tx, projectId, id)
    const { trigger_slug: slug, version } = instance
    const found = catalog.trigger(slug, version) ?? catalog.trigger(slug, LATEST_VERSION)
    if (!found && !requested)
      throw new ApiError('TriggerType_NotFound', `Trigger type ${slug} no longer exists; send a payload.`)
    const payload = requested ?? samplePayload(found!.trigger.payload)
    // A key of its own, so that each test is a new event.
    await publishTriggerEvents(tx, instance, [{ key: `test:${randomUUID()}`, payload }])
    return payload
  })
}
