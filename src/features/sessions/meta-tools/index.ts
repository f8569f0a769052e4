export { offloadAnswer } from './batch/offload.ts'
export { metaTools, type MetaToolDeps } from './registry.ts'
