export * from './event-types.ts'
export * from './events.ts'
