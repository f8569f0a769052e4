export { offloadResult } from './batch/offload.ts'
export { createMetaTools, type MetaToolDeps } from './registry.ts'
