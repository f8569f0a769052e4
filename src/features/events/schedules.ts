import type { Schedule } from '../../platform/jobs/index.ts'
import { type EventRetentionDeps, removeOldEvents } from './retention.ts'

export const eventSchedules = (deps: EventRetentionDeps): readonly Schedule[] => [
  { task: 'webhooks.removeOldEvents', cron: '*/10 * * * *', run: () => removeOldEvents(deps) },
]
