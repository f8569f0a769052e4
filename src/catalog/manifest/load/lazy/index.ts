/** The toolkits of a release, of which each is read when it is used. */
export { folderReader, openCatalog, openCatalogInSteps, type OpenOptions } from './open-catalog.ts'
