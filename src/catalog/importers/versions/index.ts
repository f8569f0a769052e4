/** Versions of imported toolkits. A server reads them without the importers, which it loads in a process of their own. */
export { credentialRecipients } from './credential-recipients.ts'
export { type Difference, differenceOf, type ToolChange } from './difference.ts'
export { canonicalJson, nextVersion, type Snapshot, snapshotOf, snapshotPieces } from './snapshot.ts'
