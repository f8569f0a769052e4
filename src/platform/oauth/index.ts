/** What OAuth servers say of themselves, and how far it is believed. */
export { challengeParameter, resourceMetadataIn } from './challenge.ts'
export {
  isSameIssuer,
  isWithin,
  resourceDocuments,
  safeAddress,
  serverDocuments,
  textList,
  toldAddress,
} from './metadata.ts'
