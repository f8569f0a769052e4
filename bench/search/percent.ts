/** `3 of 20 (15 %)`. */
export const percentOf = (part: number, whole: number): string =>
  `${part} of ${whole} (${whole ? Math.round((100 * part) / whole) : 0} %)`
