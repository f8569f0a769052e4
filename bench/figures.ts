import { availableParallelism, cpus, loadavg } from 'node:os'

/** Returns the value below which a share of the values lies, or NaN if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Describes where figures were measured: processor, cores, load of the last minute, and version of Node.js. */
export const describeMachine = (): string =>
  `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ` +
  `load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}`
