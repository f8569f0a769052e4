/** Toolkits that lie on disk and are read one tool at a time. */
export { letterIcon } from './letter-icon.ts'
export { type Content, shelfOf, shelvesIn, sweepShelves } from './write.ts'
export { onShelves, type Release } from './cached-releases.ts'
export { Damaged, type Shelf } from './cached-toolkit.ts'
