/**
 * Three-valued (Kleene) logic: `maybe` means that the answer cannot be determined. A policy that asks or denies
 * applies on `maybe`; a policy that allows does not.
 */
export type Truth = 'yes' | 'maybe' | 'no'

export const toTruth = (isTrue: boolean): Truth => (isTrue ? 'yes' : 'no')

/** Conjunction: `no` if any value is `no`, else `maybe` if any is `maybe`. */
export function allTrue(values: Iterable<Truth>): Truth {
  let result: Truth = 'yes'
  for (const value of values) {
    if (value === 'no') return 'no'
    if (value === 'maybe') result = 'maybe'
  }
  return result
}

/** Returns the value on which all agree, else `maybe`: the result depends on which of the values the tool uses. */
export function unanimous(values: readonly Truth[]): Truth {
  if (values.every((value) => value === 'no')) return 'no'
  return values.every((value) => value === 'yes') ? 'yes' : 'maybe'
}
