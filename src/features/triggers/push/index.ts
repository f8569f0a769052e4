/** What applications tell by themselves: registrations, and the addresses at which events arrive. */
export type { HookDeps } from './deps.ts'
export { triggerHooks, type TriggerHooks } from './hooks.ts'
export { ingressRoutes } from './ingress-routes.ts'
export { registrationWork } from './reconcile.ts'
