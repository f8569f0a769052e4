import { badRequest } from '../../../platform/http/api-error.ts'

const NAMES_MAX = 20
const DEPTH_MAX = 100

/** The fields that are selected below a place: all of them, or those with a name; `*` is any name. */
interface Selection {
  readonly fields: Map<string, Selection>
  isAll: boolean
  isFound: boolean
}
const newSelection = (): Selection => ({ fields: new Map(), isAll: false, isFound: false })

/** Returns the selected parts of data, and the paths that the data does not have. */
export type SelectFields = (data: Record<string, unknown>) => {
  data: Record<string, unknown>
  missing: string[]
}

/**
 * Compiles paths to the parts of a value that are returned at their place. `items.id` and `items[].id` select the id
 * of every item, `*` is any name, and `\.` is a dot within a name. @throws ApiError 400 for an invalid path
 */
export function compileFieldSelection(paths: readonly string[]): SelectFields {
  const parsed = paths.map((path, index) => ({
    path,
    names: parsePath(path, `Error in payload.response.fields.${index}`),
  }))
  return (data) => {
    const root = newSelection()
    const leaves = parsed.map(({ path, names }) => ({ path, leaf: addNames(root, names) }))
    const selected = select(data, root, 0) as Record<string, unknown> | undefined
    const missing = leaves.filter(({ leaf }) => !leaf.isFound).map(({ path }) => path)
    return { data: selected ?? {}, missing }
  }
}

function parsePath(path: string, field: string): string[] {
  const names = path.split(/(?<!\\)\./).map((name) => name.replace(/(\[\])+$/, '').replaceAll('\\.', '.'))
  if (names.some((name) => !name) || names.length > NAMES_MAX) {
    throw badRequest(
      `${field}: is not a path; write names that are joined by dots, at most ${NAMES_MAX}, such as items.id`,
    )
  }
  return names
}

function addNames(root: Selection, names: readonly string[]): Selection {
  let selection = root
  for (const name of names) {
    let next = selection.fields.get(name)
    if (!next) selection.fields.set(name, (next = newSelection()))
    selection = next
  }
  selection.isAll = true
  return selection
}

/** Returns undefined if nothing is selected. Paths pass through lists without a name. */
function select(value: unknown, selection: Selection, depth: number): unknown {
  if (selection.isAll) {
    selection.isFound = true
    return value
  }
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) {
    return value.map((item) => select(item, selection, depth + 1)).filter((item) => item !== undefined)
  }
  const anyName = selection.fields.get('*')
  const selected = Object.entries(value).flatMap(([name, property]): [string, unknown][] => {
    const below = selection.fields.get(name) ?? anyName
    const part = below && select(property, below, depth + 1)
    return part === undefined ? [] : [[name, part]]
  })
  return selected.length ? Object.fromEntries(selected) : undefined
}
