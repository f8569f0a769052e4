export * from './import-report.ts'
export * from './imports.ts'
export * from './schemas.ts'
export * from './toolkits.ts'
