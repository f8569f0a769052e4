import { alertRoutes, alertSchedules } from '../../features/alerts/index.ts'
import type { AppOptions } from '../options.ts'
import type { HttpPart } from './http.ts'
import type { PlatformPart } from './platform.ts'

/** Alert rules, which read what the other features count. */
export function wireAlerts(options: AppOptions, platform: PlatformPart, { api }: HttpPart) {
  const { db, encryptor, egress, clock } = platform
  const deps = { db, encryptor, egress, clock, mail: options.mail }
  alertRoutes(api, deps)
  return { schedules: alertSchedules(deps) }
}
