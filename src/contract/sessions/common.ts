import { type TSchema, Type } from '../schema-type.ts'
import { Described, Id, Nullable, ToolkitSlug } from '../common.ts'
import { type Permission } from '../route.ts'

export const readAccess = { audience: 'project', permission: { area: 'sessions', level: 'read' } } as const

export const writeAccess = { audience: 'project', permission: { area: 'sessions', level: 'write' } } as const

export const EXECUTE_PERMISSION: Permission = { area: 'tool_execution', level: 'write' }

export const META_TOOLS = [
  'SERVICE_SEARCH_TOOLS',
  'SERVICE_MULTI_EXECUTE_TOOL',
  'SERVICE_MANAGE_CONNECTIONS',
  'SERVICE_WAIT_FOR_CONNECTIONS',
  'SERVICE_REMOTE_WORKBENCH',
  'SERVICE_REMOTE_BASH_TOOL',
  'SERVICE_GET_TOOL_SCHEMAS',
  'SERVICE_UPSERT_RECIPE',
  'SERVICE_GET_RECIPE',
] as const

export const OptionalOrNull = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

export const Flag = OptionalOrNull(Type.Boolean())

export const Toolkits = Type.Array(ToolkitSlug, { maxItems: 1000 })

export const ToolSlug = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  examples: ['GMAIL_FETCH_EMAILS'],
})

export const ToolSlugs = Type.Array(ToolSlug, { maxItems: 1000 })

export const SessionParams = Type.Object({ session_id: Described(Id('trs'), 'Id of the session, `trs_…`.') })

export const CONFIG_ERRORS = ['ToolRouterV2_InvalidConfig'] as const

/** The account of a call in a session. */
export const AccountChoice = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description:
      'Id, word id or alias of a connected account. Needed when the user has several ' +
      'accounts of the toolkit.',
  }),
)

/** The user of a session has no account of the toolkit, or several of which none was chosen. */
export const SESSION_ACCOUNT_ERRORS = [
  'ToolRouterV2_NoActiveConnection',
  'ToolRouterV2_AccountRequired',
] as const

export const SESSION_NOT_FOUND = ['ToolRouterV2_SessionNotFound'] as const
