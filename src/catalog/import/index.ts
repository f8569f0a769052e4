/** A document that describes an API becomes a toolkit. */
export { BOUNDS } from './bounds.ts'
export { type Difference, differenceOf, type ToolChange } from './difference.ts'
export { askForSchema, type FetchText, importGraphQl, importOpenApi } from './import.ts'
export { convert, type Imported, type ImportOptions, type OperationOutcome } from './openapi.ts'
export { readDocument } from './read-document.ts'
export { type Cause, Refused } from './refusal.ts'
export { canonicalJson, nextVersion, type Snapshot, snapshotOf } from './snapshot.ts'
