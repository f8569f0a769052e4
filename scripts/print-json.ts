const COLUMNS_MAX = 110

/** Prints JSON as manifests are written: a value that fits into a line is on one line. Ends with a newline. */
export function printJson(value: unknown): string {
  return `${printValue(value, '', 0)}\n`
}

/** `reserved`: columns of the line before and after the value, such as those of its key. */
function printValue(value: unknown, indent: string, reserved: number): string {
  const line = printLine(value)
  if (typeof value !== 'object' || value === null) return line
  if (indent.length + reserved + line.length <= COLUMNS_MAX) return line
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => inner + printValue(item, inner, 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => {
          const name = `${JSON.stringify(key)}: `
          return inner + name + printValue(item, inner, name.length + 1)
        })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

function printLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}: ${printLine(item)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
