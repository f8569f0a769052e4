import type { Tool, Toolkit } from '../../catalog/index.ts'
import type { ProxyCall } from '../types.ts'

/** The slug of proxied requests in logs, policies and lists of allowed tools. */
export const PROXY_SLUG = 'PROXY_EXECUTE'

/** Returns a tool that represents a proxied request in policies, logs and limits. */
export function createProxyTool(toolkit: Toolkit, method: ProxyCall['method']): Tool {
  const effect = method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'delete' : 'update'
  const tool: Partial<Tool> = {
    slug: PROXY_SLUG,
    toolkit: toolkit.slug,
    name: 'Proxy',
    effect,
    idempotent: false,
    deprecated: false,
    aliases: [],
    noAuth: false,
    tags: [],
    scopeRequirements: null,
    scopes: [],
    input: {},
    output: {},
    response: { pick: undefined, wrap: undefined, tidy: undefined, file: undefined },
    limits: { argumentsBytes: undefined, responseBytes: undefined, bucket: undefined },
  }
  return tool as Tool
}
