import type { Field, Surface } from './surface.ts'

/** Returns the changes that break a client of the released API, one sentence each. */
export function breakingChanges(released: Surface, current: Surface): string[] {
  return Object.entries(released).flatMap(([operation, before]) => {
    const after = current[operation]
    if (!after) return [`${operation} was removed`]
    return [...changedFields(before, after), ...newRequiredFields(before, after)].map(
      (change) => `${operation}: ${change}`,
    )
  })
}

function changedFields(
  before: Readonly<Record<string, Field>>,
  after: Readonly<Record<string, Field>>,
): string[] {
  return Object.entries(before).flatMap(([path, released]) => {
    const field = after[path]
    if (!field) return [`${path} was removed`]
    return path.startsWith('request')
      ? changedRequest(path, released, field)
      : changedResponse(path, released, field)
  })
}

/** A request that was valid has to stay valid. */
function changedRequest(path: string, before: Field, after: Field): string[] {
  const missing = withoutAny(before).filter((type) => !accepts(after, type))
  const values =
    after.values && (before.values ?? ['any other value']).filter((one) => !after.values?.includes(one))
  return [
    ...(missing.length > 0 ? [`${path} no longer accepts ${missing.join(', ')}`] : []),
    ...(values?.length ? [`${path} no longer accepts ${values.join(', ')}`] : []),
    ...(after.required && !before.required ? [`${path} is now required`] : []),
  ]
}

/** A program that reads a response has to find the same fields and types. Further values of an enum are allowed. */
function changedResponse(path: string, before: Field, after: Field): string[] {
  const added = accepts(before, 'any') ? [] : after.types.split(' ').filter((type) => !accepts(before, type))
  return [
    ...(added.length > 0 ? [`${path} can now be ${added.join(', ')}`] : []),
    ...(before.required && !after.required ? [`${path} is no longer in every response`] : []),
  ]
}

const newRequiredFields = (
  before: Readonly<Record<string, Field>>,
  after: Readonly<Record<string, Field>>,
): string[] =>
  Object.entries(after).flatMap(([path, { required }]) => {
    const parent = path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, path.lastIndexOf('.'))
    // Required fields of a new optional object, and elements of a new list, concern nobody who does not send it.
    const concerns = path.startsWith('request.query') || Object.hasOwn(before, parent)
    return required &&
      path.startsWith('request') &&
      !Object.hasOwn(before, path) &&
      concerns &&
      path.includes('.')
      ? [`${path} is new and required`]
      : []
  })

const withoutAny = ({ types }: Field): string[] => types.split(' ')
/** A number type contains integers, and `any` everything. */
const accepts = ({ types }: Field, type: string): boolean => {
  const all = types.split(' ')
  return all.includes(type) || all.includes('any') || (type === 'integer' && all.includes('number'))
}
