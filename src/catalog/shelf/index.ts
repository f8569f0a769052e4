/** Toolkits that lie on disk and are read one tool at a time. */
export { letterIcon } from './icon.ts'
export { type Content, shelfOf, shelvesIn, sweepShelves } from './make.ts'
export { onShelves, type Release } from './on-shelves.ts'
export { Damaged, type Shelf } from './shelf.ts'
