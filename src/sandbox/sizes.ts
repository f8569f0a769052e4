import type { SandboxSize } from './types.ts'

const GIGABYTE = 1_000_000_000

/** Memory of a sandbox by its size. */
export const MEMORY_BYTES: Readonly<Record<SandboxSize, number>> = {
  standard: GIGABYTE,
  medium: 2 * GIGABYTE,
  large: 4 * GIGABYTE,
  xlarge: 8 * GIGABYTE,
}
