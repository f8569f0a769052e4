import { searchTriggerLogs, setTriggerStatus } from '../../../src/contract/triggers/index.ts'
import { type Example, executed, trigger } from './samples.ts'

/** Calls of the operations of logs, metrics and usage. */
export const LOGS_EXAMPLES: Readonly<Record<string, Example>> = {
  'logs.search': () => ({
    body: {
      limit: 50,
      cursor: null,
      filters: [
        { field: 'toolkit_slug', operator: '==', value: 'utilities' },
        { field: 'status', operator: '!=', value: 'failed' },
      ],
      time_range: { from: 1_767_225_600_000, to: 4_102_444_800_000 },
    },
  }),
  'logs.stream': () => ({ query: { last_event_id: '0', toolkit_slug: 'utilities', status: 'success' } }),
  'logs.export': () => ({ body: { format: 'csv', limit: 50, cursor: null } }),
  'logs.show': async (w) => ({ params: { id: await executed(w) } }),
  'logs.internal': () => ({
    body: {
      cursor: null,
      limit: 20,
      case_sensitive: false,
      from: 1_767_225_600_000,
      search_params: [{ field: 'tool_key', operation: 'contains', value: 'TIME' }],
    },
  }),
  'logs.internalFields': () => ({}),
  'logs.internalRead': async (w) => ({ params: { id: await executed(w) } }),
  'metrics.query': () => ({
    body: {
      metric: 'latency',
      quantile: 0.5,
      bucket: '5m',
      group_by: 'tool_slug',
      limit: 5,
      filters: [{ field: 'toolkit_slug', operator: '==', value: 'utilities' }],
    },
  }),
  'overview.show': () => ({ query: { range: '7d' } }),
  'usage.summary': () => ({
    body: { from: 1_767_225_600_000, entity_types: ['tool_calls'], filters: { user_id: ['user-1'] } },
  }),
  'usage.entity': () => ({
    params: { entity_type: 'tool_calls' },
    body: { group_by: 'user_id', order_by: 'event_count', order_direction: 'asc', limit: 10 },
  }),
  'usage.orgSummary': ({ own }) => ({ body: { filters: { project_id: [own.project], session_id: null } } }),
  'usage.orgEntity': () => ({ params: { entity_type: 'sessions' }, body: { group_by: 'project_id' } }),
  'logs.triggers': () => ({
    body: {
      time: '1d',
      status: 'all',
      search: 'FLOW',
      entityId: 'user-1',
      limit: 5,
      cursor: null,
      include_payload: true,
      search_params: [{ field: 'trigger_name', operation: 'contains', value: 'FLOW' }],
    },
  }),
  'logs.triggerRead': async (w) => {
    const id = await trigger(w)
    await w.own.call(setTriggerStatus, { params: { trigger_id: id }, body: { status: 'disable' } })
    return {
      params: { id: (await w.own.call(searchTriggerLogs, { body: { search: id } })).body.data[0]?.id ?? '' },
    }
  },
}
