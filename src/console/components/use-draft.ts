import { useState } from 'react'

interface Draft<T> {
  draft: T
  set(change: Partial<T>): void
  /** Other values were stored since something was entered, in another tab or by another person. */
  isOutdated: boolean
  /** Shows what is stored, also if that changes later. */
  reset(): void
}

/**
 * The values of a form that changes stored values. It shows what is stored, also when that changes, until something is
 * entered: then the input stays, and the form can say that it is outdated.
 * @param stored a value of JSON
 */
export function useDraft<T extends object>(stored: T): Draft<T> {
  const [entered, setEntered] = useState<{ base: T; draft: T }>()
  return {
    draft: entered?.draft ?? stored,
    set: (change) =>
      setEntered((current) => ({
        base: current?.base ?? stored,
        draft: { ...(current?.draft ?? stored), ...change },
      })),
    isOutdated: entered !== undefined && !isSame(entered.base, stored) && !isSame(entered.draft, stored),
    reset: () => setEntered(undefined),
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
