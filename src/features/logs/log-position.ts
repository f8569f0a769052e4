import type { LogKey } from './log-changes.ts'

/** A position in the changes of the log. Times are in microseconds since the epoch. */
export interface LogPosition {
  /** What changed up to this time was read. */
  readAt: number
  /** The read that is under way, if a page was full. */
  pass: { startedAt: number; after: LogKey } | undefined
}

const POSITION = /^(\d{1,16})(?:\.(\d{1,16})\.(\d{1,16})\.([A-Za-z0-9_-]{1,64}))?$/

/** Reads a position, or returns undefined for any other text. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, readAt, passAt, startedAt, id] = POSITION.exec(text) ?? []
  if (readAt === undefined) return undefined
  return {
    readAt: Number(readAt),
    pass:
      id === undefined
        ? undefined
        : { startedAt: Number(passAt), after: { startedAt: Number(startedAt), id } },
  }
}

export const formatPosition = ({ readAt, pass }: LogPosition): string =>
  pass ? [readAt, pass.startedAt, pass.after.startedAt, pass.after.id].join('.') : String(readAt)
