import type { Route } from '../../../contract/route.ts'
import { isObject, nonEmptyString } from '../../json-object.ts'

/** Groups of operations whose objects are not named like the group. */
const TYPES: Readonly<Record<string, string>> = {
  mcp: 'mcp_server',
  projectKeys: 'api_key',
  orgKeys: 'api_key',
  projectConfig: 'project',
  projects: 'project',
  webhooks: 'webhook_subscription',
  audit: 'audit_log',
  triggers: 'trigger_instance',
}

/** The type of the objects of an operation, from the group in its id: `authConfigs.update` has `auth_config`. */
export function objectTypeOf({ id }: Pick<Route, 'id'>): string {
  const [group = id] = id.split('.')
  return (
    TYPES[group] ??
    group
      .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      .replace(/ies$/, 'y')
      .replace(/s$/, '')
  )
}

/** A parameter of the path that is a value to set, not the id of an object. */
const isValue = (name: string): boolean => name === 'status'

const namesIn = (path: string): string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string).filter((name) => !isValue(name))

/** The id of the object in the path: its last parameter. */
export function objectIdInPath({ path }: Pick<Route, 'path'>, params: unknown): string | null {
  const name = namesIn(path).at(-1)
  return (name !== undefined && isObject(params) && nonEmptyString(params[name])) || null
}

const ID_FIELD = /^(id|nanoid|nano_id|.*_id)$/

/** The id of an object that an operation created, from its response: `id`, or the id of an object in it. */
export function objectIdInReply(reply: unknown): string | null {
  if (!isObject(reply)) return null
  const nested = Object.values(reply).filter(isObject)
  for (const value of [reply, ...nested]) if (nonEmptyString(value['id'])) return value['id'] as string
  const field = Object.keys(reply).find((name) => ID_FIELD.test(name) && nonEmptyString(reply[name]))
  return field === undefined ? null : (reply[field] as string)
}

/** Whether a GET route reads the object that an operation changes: same object, not a list of objects. */
export function readsObjectOf(reader: Route, operation: Route): boolean {
  if (reader.method !== 'GET' || reader.audience !== operation.audience) return false
  if (operation.method === 'POST' && operation.status === 201) return false
  const path = reader.path.split('/')
  const isPrefix = operation.path.split('/').slice(0, path.length).join('/') === reader.path
  const fields = (reader.reply as { properties?: object }).properties ?? {}
  return isPrefix && !('items' in fields) && namesIn(operation.path).length === namesIn(reader.path).length
}
