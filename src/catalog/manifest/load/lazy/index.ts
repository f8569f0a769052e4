/** The toolkits of a release, of which each is read when it is used. */
export { openCatalog, type OpenOptions } from './open-catalog.ts'
