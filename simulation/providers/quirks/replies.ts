import type { Answer } from '../http.ts'
import type { Behaviour, Reply } from '../behaviour.ts'

/** Another attempt gets another answer. */
export function firstTime({ provider }: Reply): boolean {
  const before = provider.memory.has('asked')
  provider.memory.set('asked', true)
  return !before
}

/** A token endpoint that writes its answers otherwise. */
export const as = (
  change: (tokens: Reply['tokens'], context: Reply) => Answer,
): Pick<Behaviour, 'token'> => ({
  token: { reply: (context: Reply) => change(context.tokens, context) },
})
export const isoEnd = ({ provider }: Reply) =>
  new Date(provider.now() + provider.lifetimes.tokenSeconds * 1_000).toISOString()
export const without = (tokens: Reply['tokens'], ...names: string[]) =>
  Object.fromEntries(Object.entries(tokens).filter(([name]) => !names.includes(name)))
