/** Metadata of OAuth servers, and how far it is trusted. */
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
