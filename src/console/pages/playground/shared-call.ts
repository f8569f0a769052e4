import { useEffect } from 'react'

export type Arguments = Record<string, unknown>

/** Longer URLs are cut by some programs that people share them with. */
const CHARACTERS_MAX = 4_000
const USER = 'default'

/** Returns the object of a JSON text, or undefined. */
export function parseObject(text: string): Arguments | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Arguments)
      : undefined
  } catch {
    return undefined
  }
}

/** Reads arguments and user of a shared call from the fragment of the URL. */
export function readShared(): { args: Arguments; userId: string } {
  const parameters = new URLSearchParams(location.hash.slice(1))
  return {
    args: parseObject(parameters.get('args') ?? '') ?? {},
    userId: parameters.get('user') ?? USER,
  }
}

/** Keeps arguments and user in the fragment of the URL, which browsers send to no server and no log. */
export function useShared(args: Arguments, userId: string): void {
  useEffect(() => {
    const parameters = new URLSearchParams()
    if (Object.keys(args).length > 0) parameters.set('args', JSON.stringify(args))
    if (userId !== USER) parameters.set('user', userId)
    const text = parameters.toString()
    const { pathname, search } = location
    const hash = text && text.length <= CHARACTERS_MAX ? `#${text}` : ''
    if (location.hash !== hash) history.replaceState(history.state, '', `${pathname}${search}${hash}`)
  }, [args, userId])
}
