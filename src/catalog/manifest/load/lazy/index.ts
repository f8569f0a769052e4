/** The toolkits of a release, of which each is read when it is used. */
export { folderReader, openCatalog, type OpenOptions } from './open-catalog.ts'
