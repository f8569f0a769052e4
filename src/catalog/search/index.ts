/** Finding tools and toolkits by what people say. */
export type { SearchDocument, SearchToolkit } from './segments/document.ts'
export { searchToolkit } from './segments/catalog-documents.ts'
export { type FindOptions, FOUND_MAX, type FoundBySearch } from './engine.ts'
export type { Fit } from './ranking/match-quality.ts'
export { prepareSearch, searchOf, searchReady } from './catalog-search.ts'
export { rankToolkits } from './toolkit-search.ts'
export { indexOf, type ToolSearch } from './tool-search.ts'
