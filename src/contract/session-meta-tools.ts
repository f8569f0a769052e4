import { Type } from 'typebox'
import { Enum, Open, ToolkitSlug } from './common.ts'
import { route } from './route.ts'
import {
  Arguments,
  CONFIG_ERRORS,
  EXECUTES,
  META_TOOLS,
  NOT_FOUND,
  One,
  Outcome,
  WithCustom,
} from './sessions.ts'

export const executeMeta = route({
  audience: 'project',
  permission: EXECUTES,
  neverRetry: true,
  id: 'sessions.executeMeta',
  method: 'POST',
  path: '/tool_router/session/:session_id/execute_meta',
  summary: 'Run a meta tool',
  params: One,
  body: Type.Object({ slug: Enum(META_TOOLS), arguments: Arguments, experimental: WithCustom }),
  reply: Outcome,
  errors: [...NOT_FOUND, ...CONFIG_ERRORS, 'ToolRouterV2_MetaToolDisabled'],
})
export const searchInSession = route({
  audience: 'project',
  permission: EXECUTES,
  id: 'sessions.search',
  method: 'POST',
  path: '/tool_router/session/:session_id/search',
  summary: 'Search tools in a session',
  params: One,
  body: Type.Object({
    queries: Type.Array(
      Type.Object({
        use_case: Type.String({ minLength: 1, maxLength: 1_024 }),
        known_fields: Type.Optional(Type.String({ maxLength: 500 })),
      }),
      { minItems: 1, maxItems: 10 },
    ),
    toolkits: Type.Optional(Type.Array(ToolkitSlug, { maxItems: 1000, description: 'Search these only.' })),
    model: Type.Optional(Type.String({ maxLength: 128 })),
    search_strategy: Type.Optional(Enum(['auto', 'tool_search'])),
    experimental: WithCustom,
  }),
  reply: Open({}),
  errors: [...NOT_FOUND, ...CONFIG_ERRORS],
})
