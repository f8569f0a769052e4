import type { Field, Surface } from './surface.ts'

/** Writes a surface as lines: an operation, and below it one line for each field. */
export const surfaceText = (surface: Surface): string =>
  Object.entries(surface)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([operation, fields]) => {
      const lines = Object.entries(fields).map(
        ([path, { types, values, required }]) =>
          `  ${path}${required ? '!' : ''} ` +
          `${types.replaceAll(' ', '|')}${values ? ` ${JSON.stringify(values)}` : ''}\n`,
      )
      return `${operation}\n${lines.join('')}`
    })
    .join('')

/** Reads what `surfaceText` writes. */
export function readSurface(text: string): Surface {
  const surface: Record<string, Record<string, Field>> = {}
  let fields: Record<string, Field> = {}
  for (const line of text.split('\n')) {
    if (line === '') continue
    if (!line.startsWith('  ')) {
      fields = surface[line] = {}
      continue
    }
    const [, path = '', mark, types = '', values] = /^ {2}(\S+?)(!?) (\S+)(?: (\[.*\]))?$/.exec(line) ?? []
    fields[path] = {
      types: types.replaceAll('|', ' '),
      ...(values ? { values: JSON.parse(values) as string[] } : {}),
      required: mark === '!',
    }
  }
  return surface
}
