export * from './execution.ts'
export * from './execution-options.ts'
export * from './proxy.ts'
export * from './tools.ts'
