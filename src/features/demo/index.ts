export { createEgressOf } from './applications.ts'
export type { DemoLoader } from './load.ts'
export { type DemoDeps, demoRoutes } from './routes.ts'
