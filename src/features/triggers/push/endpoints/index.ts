/** Addresses at which applications tell what happened in all accounts of an app, and what proves it. */
export { ingressUrl, webhookEndpointRoutes } from './routes.ts'
export { type EndpointData, missingOf, openData, sealData } from './sealed.ts'
export {
  type EndpointRow,
  findByAddress,
  findForUpdate as lockEndpoint,
  list as endpointsOf,
  markVerified,
  write as writeEndpoint,
} from './store.ts'
