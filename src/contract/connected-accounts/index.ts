export * from './accounts.ts'
export * from './connecting.ts'
export * from './provider-log.ts'
export * from './schemas.ts'
