/** Finding tools and toolkits by what people say. */
export type { SearchDocument, SearchToolkit } from './segments/document.ts'
export { searchToolkit } from './segments/catalog-documents.ts'
export {
  createToolVectors,
  packVector,
  type RequestVector,
  requestVector,
  type ToolVectors,
} from './ranking/tool-vectors.ts'
export { embeddingText, textDigest, textDigestOf } from './segments/embedding-text.ts'
export type { Segment } from './segments/segment.ts'
export { type FindOptions, FOUND_MAX, type FoundBySearch, type Similarity } from './engine.ts'
export type { Fit } from './ranking/match-quality.ts'
export { SIGNALS, type SignalName, type Signals } from './ranking/signal-table.ts'
export type { WordMatch } from './ranking/word-matches.ts'
export { type IndexWork, prepareSearch, searchOf, searchReady } from './catalog-search.ts'
export { stopIndexThreads } from './index-files/build-index.ts'
export { rankToolkits } from './toolkit-search.ts'
export { indexOf, type ToolSearch } from './tool-search.ts'
