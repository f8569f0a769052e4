// How operations and fields are named on the command line. Without imports, so that the console can bundle it.

/** Flags of every command. A field with one of these names gets the prefix `field-`. */
const RESERVED_FLAGS: ReadonlySet<string> = new Set([
  'url',
  'api-key',
  'org-api-key',
  'api-version',
  'json',
  'data',
  'all',
  'help',
])

/** Writes `toolkit_slug` and `authScheme` in the style of a command line. */
export const kebab = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()

/** Returns the two words of the command of an operation: `tools`, `execute`. */
export function commandOf(operationId: string): [group: string, name: string] {
  const [group = '', name = ''] = operationId.split('.')
  return [kebab(group), kebab(name)]
}

/** Returns the flag of a field, without dashes. A parser takes `--no-x` for the negation of `--x`. */
export function flagOf(field: string): string {
  const plain = kebab(field)
  return RESERVED_FLAGS.has(plain) || plain.startsWith('no-') ? `field-${plain}` : plain
}
