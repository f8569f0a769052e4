export * from './instances.ts'
export * from './schemas.ts'
export * from './servers.ts'
