import { type CodeTool, type CodeToolContext, ToolFailure } from '../../src/catalog/code-tool.ts'

type Node = Record<string, unknown>

const NODE_ID = /^[A-Za-z0-9._-]*[A-Za-z0-9_-]$/
const VALUE_TYPES: Record<string, string> = { string: 'str', number: 'num', boolean: 'bool', json: 'json' }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function countTypes(nodes: Node[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of nodes) counts.set(String(type), (counts.get(String(type)) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/**
 * The admin API only has the whole configuration as one flat list; `z` of a node names the tab or subflow
 * that holds it.
 */
async function listFlows(_args: Record<string, unknown>, context: CodeToolContext): Promise<unknown> {
  const reply = await context.request({
    method: 'GET',
    path: '/flows',
    headers: { 'Node-RED-API-Version': 'v2' },
  })
  const { rev, flows } = isNode(reply) ? reply : {}
  const nodes = Array.isArray(flows) ? flows.filter(isNode) : []
  const inside = Map.groupBy(nodes, (node) => node.z)
  const within = (id: unknown) => inside.get(id) ?? []
  return {
    rev,
    flows: nodes
      .filter((node) => node.type === 'tab')
      .map(({ id, label, disabled, info }) => ({
        id,
        label,
        disabled: disabled === true,
        ...(info ? { info } : {}),
        node_count: within(id).length,
        node_types: countTypes(within(id)),
      })),
    subflows: nodes
      .filter((node) => node.type === 'subflow')
      .map(({ id, name }) => ({ id, name, node_count: within(id).length })),
    config_nodes: nodes
      .filter(({ type, z }) => !z && type !== 'tab' && type !== 'subflow')
      .map(({ id, type, name }) => ({ id, type, name })),
  }
}

function injectedValue(payload: string, type: string): Record<string, unknown> {
  if (type === 'number' && (payload.trim() === '' || !Number.isFinite(Number(payload))))
    throw new ToolFailure('payload is not a number')
  if (type === 'boolean' && payload !== 'true' && payload !== 'false')
    throw new ToolFailure('payload must be true or false')
  if (type === 'json') {
    try {
      JSON.parse(payload)
    } catch (error) {
      throw new ToolFailure('payload is not JSON', { cause: error })
    }
  }
  return { p: 'payload', v: payload, vt: VALUE_TYPES[type] ?? 'str' }
}

async function triggerInjectNode(args: Record<string, unknown>, context: CodeToolContext): Promise<unknown> {
  const { node_id: id, payload, payload_type: type, topic } = args
  if (typeof id !== 'string' || !NODE_ID.test(id)) throw new ToolFailure('node_id is not valid')
  const props: Node[] = []
  if (typeof payload === 'string')
    props.push(injectedValue(payload, typeof type === 'string' ? type : 'string'))
  if (typeof topic === 'string') props.push({ p: 'topic', v: topic, vt: 'str' })
  await context.request({
    method: 'POST',
    path: `/inject/${id}`,
    body: props.length > 0 ? { __user_inject_props__: props } : {},
  })
  return { triggered: true }
}

export const tools: Record<string, CodeTool> = {
  NODERED_LIST_FLOWS: listFlows,
  NODERED_TRIGGER_INJECT_NODE: triggerInjectNode,
}
