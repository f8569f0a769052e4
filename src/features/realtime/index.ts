/** The realtime channel: events of triggers over a WebSocket, in the Pusher Channels protocol. */
export type { RealtimeDeps } from './deps.ts'
export { realtimeRoutes } from './routes.ts'
export { createRealtimeServer } from './server.ts'
