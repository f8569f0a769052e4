import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckedOperations } from './check-operations.ts'

const DATA = join(import.meta.dirname, '..', 'data')
export const OPERATIONS_FILE = join(DATA, 'checked-operations.jsonl')

/** Returns the comparisons of the last run, by toolkit. */
export const readCheckedOperations = (): Map<string, CheckedOperations> =>
  new Map(
    readFileSync(OPERATIONS_FILE, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as CheckedOperations)
      .map((one) => [one.slug, one]),
  )
