import type { OperationSummary } from '../../../contract/operation-summary.ts'
import type { JsonObject } from './shared-schemas.ts'

interface Operation {
  operationId: string
  summary: string
  tags: string[]
  deprecated?: boolean
  'x-audited'?: boolean
}

interface Document extends JsonObject {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, JsonObject>
}

const REFERENCE = '#/components/'

/** Returns the operations of a document, and its groups with their descriptions. */
export function listOperations(document: object): { tags: Document['tags']; items: OperationSummary[] } {
  const { paths, tags } = document as Document
  const items = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      tag: operation.tags[0] ?? '',
      isDeprecated: operation.deprecated === true,
      isAudited: operation['x-audited'] === true,
    })),
  )
  return { tags, items }
}

/** Returns the document with one operation and the components that it needs; undefined if no operation has this id. */
export function documentOfOperation(document: object, id: string): JsonObject | undefined {
  const { paths, tags, components, ...rest } = document as Document
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId !== id) continue
      return {
        ...rest,
        tags: tags.filter(({ name }) => operation.tags.includes(name)),
        paths: { [path]: { [method]: operation } },
        components: {
          ...componentsOf(operation, components),
          securitySchemes: components['securitySchemes'],
        },
      }
    }
  }
  return undefined
}

/** Collects the components that a value refers to, directly or through other components. */
function componentsOf(value: unknown, all: Document['components']): Document['components'] {
  const found: Document['components'] = {}
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const { $ref: reference } = next as { $ref?: unknown }
    if (typeof reference === 'string' && reference.startsWith(REFERENCE)) {
      const [kind = '', name = ''] = reference.slice(REFERENCE.length).split('/')
      const group = (found[kind] ??= {})
      if (!Object.hasOwn(group, name)) {
        group[name] = all[kind]?.[name]
        open.push(group[name])
      }
    }
    open.push(...Object.values(next))
  }
  return found
}
