/** The audit log: who did what to which object, in one chain of hashes per project and organization. */
export { createAuditRecorder, recordAction, type AuditedAction } from './recorder.ts'
export { auditRoutes } from './routes.ts'
export { auditSchedules } from './schedules.ts'
export { countActions } from './store.ts'
