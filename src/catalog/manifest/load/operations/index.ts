/** The tools that are generated from the documents of vendors, in `toolkits/<slug>/operations.bin`. */
export {
  type CuratedAliases,
  encodeOperations,
  type OperationsContent,
  OperationsFile,
} from './operations-file.ts'
export { withOperations } from './with-operations.ts'
