/** Finding tools and toolkits by what people say. */
export type { SearchDocument, SearchToolkit } from './document.ts'
export { searchToolkit } from './documents.ts'
export { type FindOptions, FOUND_MAX, type FoundBySearch } from './engine.ts'
export type { Fit } from './fit.ts'
export { prepareSearch, searchOf } from './of-catalog.ts'
export { rankToolkits } from './toolkits.ts'
export { indexOf, type ToolSearch } from './tool-search.ts'
