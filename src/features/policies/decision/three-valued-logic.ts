/** Whether something holds; `maybe`: it cannot be told. What asks or refuses counts then, what allows does not. */
export type Sure = 'yes' | 'maybe' | 'no'

export const sure = (holds: boolean): Sure => (holds ? 'yes' : 'no')

/** All of them hold. */
export function allOf(answers: Iterable<Sure>): Sure {
  let all: Sure = 'yes'
  for (const answer of answers) {
    if (answer === 'no') return 'no'
    if (answer === 'maybe') all = 'maybe'
  }
  return all
}

/** It holds for every one of several values; where only for some, it depends on which of them counts. */
export function forEvery(answers: readonly Sure[]): Sure {
  if (answers.every((answer) => answer === 'no')) return 'no'
  return answers.every((answer) => answer === 'yes') ? 'yes' : 'maybe'
}
