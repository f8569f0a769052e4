/** Versions of imported toolkits. A server reads them without the importers, which it loads in a process of their own. */
export { canonicalJson } from './canonical-json.ts'
export { type Comparison, LISTED_MAX } from './comparison.ts'
export { CONTENT_BYTES_MAX, expandContent, readContent } from './content.ts'
export type { Difference, ToolChange } from './difference.ts'
export { type PreparedVersion, prepareVersion, type PreviousVersion } from './prepared-version.ts'
export { nextVersion, snapshotPieces } from './snapshot.ts'
