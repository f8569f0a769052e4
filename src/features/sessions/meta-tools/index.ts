export { offloadAnswer } from './offload.ts'
export { metaTools, type MetaToolDeps } from './registry.ts'
