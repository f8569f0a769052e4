import { isObject } from '../../platform/json-object.ts'
import type { SourceItem } from './project-file.ts'

/** Members of the configuration whose names differ between responses and requests. */
const REQUEST_NAMES: Readonly<Record<string, string>> = {
  enabled: 'enable',
  disabled: 'disable',
  proxy_execution_enabled: 'enable_proxy_execution',
}

/** Members that hold names of toolkits, which are no members of the format. */
const BY_TOOLKIT: ReadonlySet<string> = new Set(['auth_configs', 'connected_accounts'])

/** Returns the request that creates a session with the configuration of an existing one. */
export function sessionBody({ user_id, config, experimental }: SourceItem): Record<string, unknown> {
  const { user_id: _user, tools, ...rest } = isObject(config) ? config : {}
  const { permissions } = isObject(experimental) ? experimental : {}
  const sections = Object.entries(requestNames(rest) as object).map(([name, value]: [string, unknown]) => [
    name,
    isObject(value) && value['enable'] === false ? { enable: false } : value,
  ])
  // Responses have the defaults of a section that is off; requests must not.
  const body = { user_id, ...Object.fromEntries(sections) }
  const byToolkit = Object.entries(isObject(tools) ? tools : {})
  if (byToolkit.length > 0)
    Object.assign(body, {
      tools: Object.fromEntries(byToolkit.map(([toolkit, lists]) => [toolkit, requestNames(lists)])),
    })
  return permissions === undefined ? body : { ...body, experimental: { permissions } }
}

/** Id of the saved configuration that a session was opened with. */
export function savedConfigOf({ experimental }: SourceItem): string | undefined {
  const saved = isObject(experimental) ? experimental['source_session_config'] : undefined
  return isObject(saved) && typeof saved['id'] === 'string' ? saved['id'] : undefined
}

function requestNames(value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      REQUEST_NAMES[name] ?? name,
      BY_TOOLKIT.has(name) ? member : requestNames(member),
    ]),
  )
}
