const DAY_MS = 86_400_000
/** Partitions begin on a Monday of UTC, or at a multiple of their length from this one. */
const FIRST_MONDAY = Date.UTC(2024, 0, 1)
/** Partitions exist for at least so many days from now, so that inserts never wait for a job. */
const DAYS_AHEAD = 7

/** A period of time in milliseconds since the epoch. `to` is exclusive. */
export interface Period {
  from: number
  to: number
}

/**
 * Returns the length of partitions for a retention in days; 0: for ever. A partition is dropped when its newest row is
 * old enough, so a row is stored for up to this length longer. Shorter partitions are more partitions, and each
 * costs every statement that has no time.
 */
export function partitionDays(retentionDays: number): number {
  if (retentionDays === 0 || retentionDays > 91) return 28
  return retentionDays > 13 ? 7 : 1
}

/** Returns the period of a time, if partitions are aligned. */
const alignedPeriod = (time: number, days: number): Period => {
  const length = days * DAY_MS
  const from = FIRST_MONDAY + Math.floor((time - FIRST_MONDAY) / length) * length
  return { from, to: from + length }
}

/**
 * Returns the periods for which partitions are missing from now on. The first may be shorter, after a change of length.
 */
export function missingPeriods(existing: readonly Period[], now: number, days: number): Period[] {
  const last = Math.max(...existing.map(({ to }) => to))
  const missing: Period[] = []
  let from = Math.max(last, alignedPeriod(now, days).from)
  while (from < now + DAYS_AHEAD * DAY_MS) {
    const { to } = alignedPeriod(from, days)
    missing.push({ from, to })
    from = to
  }
  return missing
}

/** Returns the largest aligned period around a time that no partition has a part of. `time` is in none. */
export function gapAround(time: number, existing: readonly Period[], days: number): Period {
  const aligned = alignedPeriod(time, days)
  return {
    from: Math.max(aligned.from, ...existing.map(({ to }) => to).filter((to) => to <= time)),
    to: Math.min(aligned.to, ...existing.map(({ from }) => from).filter((from) => from > time)),
  }
}

/** Rows of default partitions, counted in equal pieces of time. */
export interface RowCount {
  from: number
  rows: number
}

/**
 * Returns the periods for rows that have no partition, oldest first. A period with more than `rowsMax` rows is divided,
 * so that each can be moved in a short transaction; one piece of time is never divided. `counts` is sorted by time.
 */
export function periodsOfRows(
  counts: readonly RowCount[],
  existing: readonly Period[],
  days: number,
  rowsMax: number,
): Period[] {
  const periods: Period[] = []
  let gap: Period | undefined
  let rowsInPeriod = 0
  for (const { from, rows } of counts) {
    if (!gap || from >= gap.to) {
      gap = gapAround(from, existing, days)
      periods.push(gap)
      rowsInPeriod = 0
    } else if (rowsInPeriod > 0 && rowsInPeriod + rows > rowsMax) {
      periods.splice(-1, 1, { from: periods.at(-1)!.from, to: from }, { from, to: gap.to })
      rowsInPeriod = 0
    }
    rowsInPeriod += rows
  }
  return periods
}
