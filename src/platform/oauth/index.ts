/** What OAuth servers say of themselves, and how far it is believed. */
export { challengeParameter, resourceMetadataParameter } from './challenge.ts'
export {
  isSameIssuer,
  isWithin,
  resourceMetadataUrls,
  safeMetadataUrl,
  serverMetadataUrls,
  stringList,
  announcedMetadataUrl,
} from './metadata.ts'
