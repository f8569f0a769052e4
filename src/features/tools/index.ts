export { presentTool } from './present-tool.ts'
export { splitPages } from './response-shaping/split-pages.ts'
export { toolRoutes } from './routes.ts'
export { toolSchedules } from './schedules.ts'
