export { outlineInThread } from './outline-thread.ts'
export { objectFromOutline } from './unparsed-object.ts'
