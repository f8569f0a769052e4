import { UsageError } from './usage-error.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration of a flag, such as `30s`, in milliseconds. @throws UsageError */
export function millisecondsOf(flag: string, text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (!number || !unit)
    throw new UsageError(
      `${flag} takes a duration such as 30s, 10m, 12h or 7d, not "${text}".`,
      'Write a number, followed by s, m, h or d.',
    )
  return Number(number) * (UNITS[unit] as number)
}
