import { EVENT_TYPES, type EventType, type PayloadVersion } from '../../../contract/events/index.ts'
import { badRequest } from '../../../platform/http/api-error.ts'

/** Checks that a payload version can express each event. @throws ApiError 400 */
export function checkVersion(version: PayloadVersion, events: readonly EventType[]): void {
  const unsupported = events.filter(
    (event) => !(EVENT_TYPES[event].versions as readonly string[]).includes(version),
  )
  if (unsupported.length > 0)
    throw badRequest(
      ...unsupported.map(
        (event) =>
          `Error in payload.version: ${version} does not have ${event}; use ` +
          `${EVENT_TYPES[event].versions.join(' or ')}`,
      ),
    )
}
