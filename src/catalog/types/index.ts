/** Records that compiled toolkits consist of, and the catalogue that has them. */
export type * from './catalog.ts'
export type * from './location.ts'
export type * from './request.ts'
export type * from './response.ts'
export type * from './template.ts'
export type * from './tool.ts'
export type * from './toolkit.ts'
export type * from './trigger.ts'
