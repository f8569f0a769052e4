export { metaTools, type MetaToolDeps } from './registry.ts'
