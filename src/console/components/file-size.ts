const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Returns a size in decimal units: `48.2 kB`. */
export function fileSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const format = new Intl.NumberFormat('en', {
    style: 'unit',
    unit: UNITS[step] as string,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1_000 ** step)
}
