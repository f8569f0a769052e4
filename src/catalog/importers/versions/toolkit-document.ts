import { getOwn, isObject } from '../json.ts'

/** Whether a parsed document is the content of a toolkit version, as `snapshotPieces` writes it. */
export const isToolkitDocument = (value: unknown): boolean =>
  getOwn(value, 'format') !== undefined &&
  isObject(getOwn(value, 'toolkit')) &&
  Array.isArray(getOwn(value, 'tools'))
