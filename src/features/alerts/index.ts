/** Alert rules: notifications of people about the state of a project. */
export { alertsProjectRows } from './project-rows.ts'
export type { MailSettings } from './notify.ts'
export { alertRoutes } from './routes.ts'
export { alertSchedules } from './schedules.ts'
