import { isObject, type Json, object } from '../../src/catalog/importers/json.ts'
import {
  listOf,
  pageArguments,
  type Pagination,
  recognizePaging as recognize,
} from '../../src/catalog/importers/tools/paging.ts'
import type { ToolManifest } from '../../src/catalog/manifest/format/index.ts'
import type { Overlay } from './overlay.ts'

/**
 * Recognizes how a list is paged, as imports do, or as the overlay of the vendor says. Undefined where neither says it
 * beyond doubt.
 */
export function recognizePaging(
  effect: ToolManifest['effect'],
  input: Json,
  output: Json,
  overlay: Overlay['pagination'],
): Pagination | undefined {
  if (effect !== 'read' || overlay === 'none') return undefined
  const items = listOf(output)
  if (items === undefined || overlay === undefined) return recognize(effect, input, output)
  if (isObject(overlay))
    return Object.hasOwn(object(input['properties']), overlay.argument) ? { ...overlay, items } : undefined
  const { page, size } = pageArguments(input)
  if (page === undefined) return undefined
  return { by: 'link', argument: page, items, ...(size !== undefined && { size }) }
}
