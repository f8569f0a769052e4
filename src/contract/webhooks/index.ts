export * from './deliveries.ts'
export * from './project-webhook.ts'
export * from './schemas.ts'
export * from './subscriptions.ts'
