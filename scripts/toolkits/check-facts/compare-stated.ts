import { object } from '../../../src/catalog/importers/json.ts'
import type { ToolManifest } from '../../../src/catalog/manifest/format/index.ts'
import type { StatedOperation, StatedValue, StatedValues } from '../operation-files/format.ts'

/** Returns how the request of a tool differs from the operation that a file states; empty where it is the same. */
export function statedDifferences({ request, input }: ToolManifest, operation: StatedOperation): string[] {
  if (!request) return ['it has no request']
  const { query, headers, variables, fixed = {}, whole_body: whole } = operation
  const body = whole === undefined ? operation.body : { $: whole }
  const sent = whole === undefined ? request.body : { $: request.body }
  const route = `${request.method} ${request.path}`
  const required = new Set((object(input)['required'] ?? []) as string[])
  const groups: [string, StatedValues | undefined, object | undefined, unknown][] = [
    ['query', query, fixed.query, request.query],
    ['header', headers, fixed.headers, request.headers],
    ['body', body, fixed.body, operation.graphql === undefined ? sent : undefined],
    ['variable', variables, undefined, object(request.body)['variables']],
  ]
  return [
    ...(withoutNames(route) === withoutNames(operation.request)
      ? []
      : [`${route} is not ${operation.request}`]),
    ...groups.flatMap(([place, values = {}, constants = {}, sent]) => {
      const names = new Map(leaves(sent))
      const stated = new Set([...Object.keys(values), ...Object.keys(constants)])
      return [
        ...[...stated].filter((name) => !names.has(name)).map((name) => `${place} ${name} is not sent`),
        ...[...names.keys()]
          .filter((name) => !stated.has(name))
          .map((name) => `${place} ${name} is not stated`),
        ...Object.entries(values)
          .filter(([name, value]) => isRequired(value) !== required.has(names.get(name) ?? ''))
          .map(([name, value]) => `${place} ${name} is ${isRequired(value) ? '' : 'not '}required`),
      ]
    }),
  ]
}

const isRequired = (value: StatedValue): boolean =>
  /^[^:]*?!/.test(typeof value === 'string' ? value : value.is)

const withoutNames = (route: string): string => route.replace(/\{[^{}]*\}/g, '{}')

/** Names of what is sent, `data.values` for a member of a member, with the argument that fills each. */
function leaves(value: unknown, before = ''): [name: string, argument: string][] {
  return Object.entries(object(value)).flatMap(([name, inner]) => {
    const { $: argument } = object(inner)
    const isGroup =
      argument === undefined && typeof inner === 'object' && inner !== null && !Array.isArray(inner)
    const whole = `${before}${name}`
    return isGroup && Object.keys(inner).length > 0
      ? leaves(inner, `${whole}.`)
      : [[whole, typeof argument === 'string' ? argument : ''] as [string, string]]
  })
}
