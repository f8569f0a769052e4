import { isPartlyUnparsed, parseAllMembers } from '../../json-outline/index.ts'
import { runInSlices } from './run-in-slices.ts'

/** Parses the properties of a value that have not been parsed, in slices. Returns the value. */
export async function parseInSlices<T>(value: T): Promise<T> {
  if (isPartlyUnparsed(value)) await runInSlices(parseAllMembers(value))
  return value
}
