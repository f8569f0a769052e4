import { compileCondition } from '../response/conditions.ts'
import type { ItemConditionManifest } from '../../format/index.ts'
import { compilePath } from '../template/paths.ts'
import { lookupFrom, valueToText } from '../template/templates.ts'

export type ItemPredicate = (item: unknown, config: Readonly<Record<string, unknown>>) => boolean

/** Compiles a predicate over one event; `equals_config` compares with the configuration of an instance. */
export function compileItemCondition({
  equals_config: name,
  path,
  ...condition
}: ItemConditionManifest): ItemPredicate {
  const read = compilePath(path)
  const alone = name !== undefined && Object.keys(condition).length === 0
  const test = alone ? undefined : compileCondition({ body: { path, ...condition } })
  return (item, config) => {
    if (test && !test({ status: 200, headers: {}, body: item })) return false
    const expected = name === undefined ? undefined : lookupFrom(config)(name)
    return (
      expected === undefined || expected === null || expected === '' || haveCommonValue(read(item), expected)
    )
  }
}

function haveCommonValue(found: unknown, expected: unknown): boolean {
  const texts = new Set([expected].flat().map(valueToText))
  return texts.size === 0 || [found].flat().some((one) => one !== undefined && texts.has(valueToText(one)))
}
