import type { RequestTurn } from './request-turns.ts'

/** The turn of a server without turns. Slices of its projects take turns anyway. */
export const UNLIMITED: Omit<RequestTurn, 'projectId'> = {
  whileWaiting: (work) => work,
  hasNeighbour: () => false,
  isShared: () => false,
  startSlices: () => {},
  endSlices: () => {},
  now: () => 0,
  charge: () => {},
  end: () => {},
}
