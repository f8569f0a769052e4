import type { ResolvedTool } from '../../catalog/index.ts'
import type { ToolResult } from '../types.ts'

type Fields = Record<string, unknown>

/** Converts numbers that a URL or a header contained as text, where the tool requires a number. */
export function nextArguments(next: Readonly<Fields>, { tool }: ResolvedTool): Fields {
  const properties = (tool.input['properties'] ?? {}) as Record<string, { type?: unknown } | undefined>
  const isInteger = (name: string) => {
    const types = [properties[name]?.type].flat()
    return types.includes('integer') && !types.includes('string')
  }
  return Object.fromEntries(
    Object.entries(next).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d{1,15}$/.test(value) && isInteger(name) ? Number(value) : value,
    ]),
  )
}

/** Returns the length of a page as it was received. */
export const sizeOf = ({ bytes, data }: ToolResult): number => bytes ?? JSON.stringify(data).length

/** Returns a copy of `data` with another list at the path of the items. */
export function setItems(data: unknown, path: string, items: readonly unknown[]): Fields {
  const names = [...path.matchAll(/\['([^'\]]+)'\]|([^.[\]]+)|\[(\d+)\]/g)].map(
    ([, quoted, key, index]) => quoted ?? key ?? Number(index),
  )
  return setAt(data, names, items) as Fields
}

function setAt(value: unknown, [name, ...rest]: readonly (string | number)[], items: unknown): unknown {
  if (name === undefined) return items
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === name ? setAt(item, rest, items) : item))
  }
  const fields = (value !== null && typeof value === 'object' ? value : {}) as Fields
  return { ...fields, [name]: setAt(Object.hasOwn(fields, name) ? fields[name] : undefined, rest, items) }
}
