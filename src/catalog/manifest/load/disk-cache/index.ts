/** Toolkits on disk that are read one tool at a time. */
export { letterIcon } from './letter-icon.ts'
export {
  type CachedToolkitContent,
  openOrWriteCachedToolkit,
  cachedDigests,
  removeUnusedCacheFiles,
} from './write.ts'
export { cachedReleases, type CachedRelease } from './cached-releases.ts'
export { CacheFileDamaged, CachedToolkit } from './cached-toolkit.ts'
