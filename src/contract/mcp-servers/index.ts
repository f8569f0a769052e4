export * from './client-configs.ts'
export * from './instances.ts'
export * from './schemas.ts'
export * from './servers.ts'
