import { isObject } from './read-back.ts'
import { read } from './error-replies.ts'

/**
 * A template of the notes: `{"$": "argument"}` stands for an argument (`"as": "name"`: the last part of a
 * path), `{"$thing": "member"}` for a member of the object.
 */
export function filled(
  template: unknown,
  args: Readonly<Record<string, unknown>>,
  thing: Readonly<Record<string, unknown>> = {},
): unknown {
  if (Array.isArray(template)) return template.map((item) => filled(item, args, thing))
  if (!isObject(template)) return template
  const { $: name, $thing: member, as } = template
  if (typeof member === 'string') return read(thing, member) ?? null
  if (typeof name !== 'string')
    return Object.fromEntries(
      Object.entries(template).map(([key, value]) => [key, filled(value, args, thing)]),
    )
  const value = args[name] ?? null
  return as === 'name' && typeof value === 'string' ? (value.split('/').at(-1) ?? '') : value
}
