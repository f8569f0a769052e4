export { type IncidentDeps, incidentRoutes } from './routes.ts'
