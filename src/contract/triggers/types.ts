import { type Static, Type } from '../schema-type.ts'
import { Described, Enum, Open, PageOf, PageQuery, QueryList, Slug, ToolkitVersions } from '../common.ts'
import { route } from '../route.ts'
import { readAccess } from './instances.ts'

const Parameters = Open(
  {},
  { description: 'Descriptors by field name in v3, JSON Schema of an object in v3.1.' },
)

export const TriggerType = Type.Object(
  {
    slug: Type.String({ description: 'Slug of the trigger type.' }),
    name: Type.String({ description: 'Display name.' }),
    description: Type.String({ description: 'Description of the event.' }),
    instructions: Type.String({ description: 'Instructions for the set-up; empty when none are needed.' }),
    type: Enum(['webhook', 'poll'], {
      description:
        '`webhook`: the application sends events. `poll`: the server asks the application at intervals.',
    }),
    toolkit: Type.Object(
      {
        slug: Type.String({ description: 'Slug of the toolkit.' }),
        name: Type.String({ description: 'Name of the toolkit.' }),
        logo: Type.String({ description: 'URL of the logo.' }),
      },
      { description: 'Toolkit of the trigger type.' },
    ),
    config: Described(
      Parameters,
      'Configuration. v3: descriptors by field name; v3.1: JSON Schema of an object.',
    ),
    payload: Described(
      Parameters,
      'Data of an event. v3: descriptors by field name; v3.1: JSON Schema of an object.',
    ),
    version: Type.String({ description: 'Version of the toolkit, `YYYYMMDD_NN`.' }),
    available_versions: Type.Array(Type.String(), {
      description: 'Versions of the toolkit.',
    }),
    requires_webhook_endpoint_setup: Type.Optional(
      Type.Boolean({
        description: 'Whether a webhook endpoint has to be set up first. Only in v3.1.',
      }),
    ),
  },
  { $id: 'TriggerType' },
)

export type TriggerType = Static<typeof TriggerType>

export const listTriggerTypes = route({
  ...readAccess,
  id: 'triggerTypes.list',
  method: 'GET',
  path: '/triggers_types',
  summary: 'List trigger types',
  description: 'Returns a page of trigger types: the events of applications that the server can report.',
  example: { query: { toolkit_slugs: 'github' } },
  query: Type.Object({
    toolkit_slugs: Type.Optional(
      QueryList({ description: 'Slugs of toolkits; trigger types of any of them.' }),
    ),
    toolkit_versions: Type.Optional(
      Described(ToolkitVersions, 'Version for all toolkits, or versions by toolkit slug. Default `latest`.'),
    ),
    ...PageQuery,
  }),
  reply: PageOf(TriggerType),
})

export const listTriggerSlugs = route({
  ...readAccess,
  id: 'triggerTypes.enum',
  method: 'GET',
  path: '/triggers_types/list/enum',
  summary: 'List the slugs of all trigger types',
  description: 'Returns the slugs of all trigger types as one JSON list.',
  reply: Type.Array(Type.String()),
})

export const readTriggerType = route({
  ...readAccess,
  id: 'triggerTypes.read',
  method: 'GET',
  path: '/triggers_types/:slug',
  summary: 'Read a trigger type',
  description: 'Returns one trigger type with the schemas of its configuration and its events.',
  example: { params: { slug: 'GITHUB_ISSUE_ADDED_EVENT' } },
  params: Type.Object({ slug: Described(Slug, 'Slug of the trigger type, in any letter case.') }),
  query: Type.Object({
    toolkit_versions: Type.Optional(
      Described(ToolkitVersions, 'Version for all toolkits, or versions by toolkit slug. Default `latest`.'),
    ),
  }),
  reply: TriggerType,
  errors: ['TriggerType_NotFound'],
})
