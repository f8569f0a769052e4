import type { ApiModel, Parameter } from '../model.ts'
import type { SchemaWriter } from '../schema/writer.ts'
import type { PathStyle, QueryStyle } from '../../manifest/format/index.ts'
import type { Json } from '../json.ts'

export interface RequestContext {
  readonly model: ApiModel
  readonly writer: SchemaWriter
  /** Where the document came from. */
  readonly from: string
  readonly isCredential: (where: string, name: string) => boolean
}

/** A text of a JSON template in which braces stand for themselves. */
export const literal = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('{', '{{') : value

/** The only value that a required parameter may have: no model has to choose it. */
export function constantOf(
  parameter: Parameter,
  { writer }: RequestContext,
): string | number | boolean | undefined {
  if (!parameter.required) return undefined
  const only = (writer.write(parameter.schema, 1)?.json['enum'] as unknown[] | undefined) ?? []
  return only.length === 1 && ['string', 'number', 'boolean'].includes(typeof only[0]) && only[0] !== ''
    ? (only[0] as string)
    : undefined
}

const QUERY_STYLES: Readonly<Record<string, QueryStyle>> = {
  spaceDelimited: 'space',
  pipeDelimited: 'pipe',
  tab: 'tab',
  deepObject: 'brackets',
}

/** Types that an argument may have; empty for any. */
export const typesOf = ({ schema }: Parameter, { writer }: RequestContext): unknown[] =>
  [writer.write(schema, 1)?.json['type'] ?? []].flat()

/** Only what may be a list or an object has a style worth a word. */
export function queryStyleOf({ style, explode, json }: Parameter, types: readonly unknown[]): QueryStyle {
  const may = (type: string) => types.length === 0 || types.includes(type)
  if (json || (!may('array') && !may('object'))) return 'repeat'
  // Exploded, the other styles are as form is (OpenAPI 3.1.1, "Style Examples").
  if (
    style === 'form' ||
    (explode && (style === 'spaceDelimited' || style === 'pipeDelimited' || style === 'tab'))
  )
    return !explode ? 'comma' : may('object') ? 'spread' : 'repeat'
  return QUERY_STYLES[style] ?? 'repeat'
}

export function pathStyleOf(
  { style, explode, json }: Parameter,
  types: readonly unknown[],
): PathStyle | undefined {
  if (json) return undefined
  const kind = style === 'label' || style === 'matrix' ? style : 'simple'
  if (kind === 'simple' && !types.includes('array') && !types.includes('object')) return undefined
  return explode ? `${kind}_explode` : kind
}

export function castOf({ in: place, json, explode }: Parameter, types: readonly unknown[]): Json {
  if (json) return { as: 'json' }
  return place === 'query' || !types.includes('object')
    ? {}
    : { as: explode && place === 'header' ? 'members' : 'pairs' }
}
