import { createHash } from 'node:crypto'

/** Returns the name of a cluster in the titles of its processes. */
export function clusterName(directory: string): string {
  return `patchbay-${createHash('sha256').update(directory).digest('hex').slice(0, 16)}`
}
