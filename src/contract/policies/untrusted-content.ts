import { type Static, Type } from '../schema-type.ts'
import { CONTENT_CATEGORIES } from './content-categories.ts'
import { Described, Enum, exampleId, Id, Nullable, Timestamp } from '../common.ts'
import { route } from '../route.ts'
import { closed } from './conditions.ts'

// An addition of this server: the content of other people that a session has read.
const Category = Enum(CONTENT_CATEGORIES, {
  description:
    'Kind of the content: `mail`, `chat`, `web`, `issues` (also tickets and code), `files`, `social`, ' +
    '`calendar`, `forms`, `stored` for notes and recipes of earlier sessions, `records` for all other applications.',
})

export const UntrustedSource = Type.Object(
  {
    category: Category,
    toolkit_slug: Nullable(
      Type.String({ description: 'Slug of the toolkit; null for content that no tool returned.' }),
    ),
    tool_slug: Nullable(
      Type.String({ description: 'Slug of the tool that returned it; null for content of no tool.' }),
    ),
    connected_account_id: Nullable(
      Type.String({ description: 'Id of the connected account, `ca_…`; null for none.' }),
    ),
    note: Nullable(Type.String({ description: 'Where the content came from, in words; null for tools.' })),
    log_id: Nullable(
      Type.String({ description: 'Id of the log of the first call that returned it; null for none.' }),
    ),
    first_read_at: Described(Timestamp, 'When the session read such content for the first time.'),
  },
  { $id: 'UntrustedSource' },
)

export type UntrustedSource = Static<typeof UntrustedSource>

const params = Type.Object({ session_id: Described(Id('trs'), 'Id of the session, `trs_…`.') })

const reply = Type.Object({
  items: Type.Array(UntrustedSource, {
    description: 'Sources, in the order in which the session read them. At most 100.',
  }),
})

export const listUntrustedSources = route({
  audience: 'project',
  permission: { area: 'sessions', level: 'read' },
  id: 'sessions.untrustedSources',
  method: 'GET',
  path: '/tool_router/session/:session_id/untrusted_sources',
  summary: 'List the untrusted content that a session has read',
  description:
    'Returns where the session read content that other people wrote, such as mail, web pages and issues. Policies ' +
    'with `untrusted_content` apply to the calls of such a session.',
  example: { params: { session_id: exampleId('trs') }, needs: 'a session' },
  params,
  reply,
  errors: ['ToolRouterV2_SessionNotFound'],
})

export const addUntrustedSource = route({
  audience: 'project',
  permission: { area: 'sessions', level: 'write' },
  id: 'sessions.addUntrustedSource',
  method: 'POST',
  path: '/tool_router/session/:session_id/untrusted_sources',
  summary: 'Record that a session has read untrusted content',
  description:
    'Records content that reached the agent without a tool call, such as the mail of an event that starts it. ' +
    'Recording the same source again changes nothing. A source cannot be removed: use a new session.',
  example: {
    params: { session_id: exampleId('trs') },
    body: { category: 'mail', note: 'The mail that started the agent' },
    needs: 'a session',
  },
  params,
  body: Type.Object(
    {
      category: Category,
      note: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Where the content came from. The person who decides on a call sees it.',
        }),
      ),
    },
    closed,
  ),
  reply,
  errors: ['ToolRouterV2_SessionNotFound'],
})
