import { type Static, Type } from '../schema-type.ts'
import {
  Described,
  Enum,
  Open,
  PageOf,
  PageQuery,
  QueryBoolean,
  QueryList,
  Slug,
  ToolkitVersions,
  VersionText,
} from '../common.ts'
import { route } from '../route.ts'
import { SearchExplanation } from './search-explanation.ts'

const tools = { audience: 'project', permission: { area: 'tools', level: 'read' } } as const

const VersionsQuery = Type.Optional(
  Described(
    ToolkitVersions,
    'Version for all toolkits, or versions by toolkit slug. Default: `00000000_00` in v3, `latest` in v3.1.',
  ),
)

/** Flat map in v3, JSON Schema in v3.1: an open object covers both. */
const Parameters = Open(
  {},
  { description: 'Descriptors by parameter name in v3, JSON Schema of an object in v3.1.' },
)

const ScopeRequirements = Type.Unsafe<{ all_of: (string | { any_of: string[] })[] } | null>({
  type: ['object', 'null'],
  additionalProperties: true,
})

export const Tool = Type.Object(
  {
    slug: Type.String({ description: 'Slug of the tool.' }),
    name: Type.String({ description: 'Display name.' }),
    description: Type.String({ description: 'Description for the language model.' }),
    human_description: Type.String({ description: 'Description for people.' }),
    toolkit: Type.Object(
      {
        slug: Type.String({ description: 'Slug of the toolkit.' }),
        name: Type.String({ description: 'Name of the toolkit.' }),
        logo: Type.String({ description: 'URL of the logo.' }),
      },
      { description: 'Toolkit of the tool.' },
    ),
    input_parameters: Described(
      Parameters,
      'Arguments. v3: descriptors by parameter name; v3.1: JSON Schema of an object.',
    ),
    output_parameters: Described(
      Parameters,
      'Result. v3: descriptors by field name; v3.1: JSON Schema of an object.',
    ),
    no_auth: Type.Boolean({ description: 'Whether the tool works without a connection.' }),
    version: Type.String({ description: 'Version of the toolkit, `YYYYMMDD_NN`.' }),
    available_versions: Type.Array(Type.String(), {
      description: 'Versions of the toolkit that contain the tool.',
    }),
    scopes: Type.Array(Type.String(), { description: 'OAuth scopes that the tool needs.' }),
    scope_requirements: Described(
      ScopeRequirements,
      'Which scopes are alternatives: all of `all_of` are needed, of an `any_of` one. Null ' +
        'when the tool needs none.',
    ),
    tags: Type.Array(Type.String(), { description: 'Tags, such as `important` and `readOnlyHint`.' }),
    is_deprecated: Type.Boolean({ description: 'Whether the tool will be removed.' }),
    deprecated: Type.Object(
      {
        displayName: Type.String({ description: 'Deprecated: use `name`.' }),
        version: Type.String({ description: 'Deprecated: use `version`.' }),
        available_versions: Type.Array(Type.String(), {
          description: 'Deprecated: use `available_versions`.',
        }),
        is_deprecated: Type.Boolean({ description: 'Deprecated: use `is_deprecated`.' }),
        toolkit: Type.Object(
          { logo: Type.String({ description: 'Deprecated: use `toolkit.logo`.' }) },
          { description: 'Deprecated: use `toolkit`.' },
        ),
      },
      { description: 'Deprecated fields of earlier versions.' },
    ),
  },
  { $id: 'Tool' },
)

export type Tool = Static<typeof Tool>

/** Schema format of a model vendor. A vendor rejects a request with many tools for one unsupported schema. */
const SchemaFormat = Enum(['openai', 'openai_strict', 'anthropic', 'gemini'], {
  description: 'Write `input_parameters` as JSON Schema that this model vendor accepts.',
})

const ListQuery = Type.Object({
  toolkit_slug: Type.Optional(QueryList({ description: 'Slugs of toolkits; tools of any of them.' })),
  tool_slugs: Type.Optional(
    QueryList({ description: 'Slugs of tools. All other filters are ignored; unknown slugs are skipped.' }),
  ),
  auth_config_ids: Type.Optional(
    QueryList({ description: 'Ids of auth configs: only tools of their toolkits that they allow.' }),
  ),
  important: Type.Optional(
    Enum(['true', 'false'], { description: '`true`: only tools with the tag `important`.' }),
  ),
  tags: Type.Optional(QueryList({ description: 'Tags; tools with any of them.' })),
  scopes: Type.Optional(QueryList({ description: 'Granted OAuth scopes: only tools that work with them.' })),
  query: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Text to search for: the best matches, best first. Empty if none.',
    }),
  ),
  search: Type.Optional(Type.String({ maxLength: 1024, description: 'Deprecated: use `query`.' })),
  explain: Type.Optional(
    Described(
      QueryBoolean,
      'Add `explanation`: why the tools have this order. Needs `query`. Default false.',
    ),
  ),
  include_deprecated: Type.Optional(Described(QueryBoolean, 'Include deprecated tools. Default true.')),
  toolkit_versions: VersionsQuery,
  dialect: Type.Optional(
    Described(
      SchemaFormat,
      'Write `input_parameters` as JSON Schema that this model vendor accepts. Tools that ' +
        'cannot be written in it are left out.',
    ),
  ),
  ...PageQuery,
})

export const listTools = route({
  ...tools,
  id: 'tools.list',
  method: 'GET',
  path: '/tools',
  summary: 'List tools',
  description:
    'Returns a page of tools with their schemas. Without a filter it lists all tools. In v3 schemas ' +
    'are flat maps, in v3.1 JSON Schema.',
  example: { query: { toolkit_slug: 'hackernews', limit: 20 } },
  query: ListQuery,
  reply: Type.Object({
    ...PageOf(Tool).properties,
    explanation: Type.Optional(SearchExplanation),
    toolkits_not_searched: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Slugs of custom toolkits whose search is still being prepared. Their tools are missing from the result. ' +
          'Search again in a minute.',
      }),
    ),
  }),
})

export const listToolSlugs = route({
  ...tools,
  id: 'tools.enum',
  method: 'GET',
  path: '/tools/enum',
  summary: 'List the slugs of all tools',
  description: 'Returns the slugs of all tools as one JSON list.',
  reply: Type.Array(Type.String()),
})

export const readTool = route({
  ...tools,
  id: 'tools.read',
  method: 'GET',
  path: '/tools/:tool_slug',
  summary: 'Read one tool',
  description: 'Returns one tool with the schemas of its arguments and its result.',
  example: { params: { tool_slug: 'HACKERNEWS_GET_ITEM' } },
  params: Type.Object({ tool_slug: Described(Slug, 'Slug of the tool, in any letter case.') }),
  query: Type.Object({
    version: Type.Optional(
      Described(VersionText, 'Version of the toolkit. It takes precedence over `toolkit_versions`.'),
    ),
    toolkit_versions: VersionsQuery,
    dialect: Type.Optional(
      Described(SchemaFormat, 'Write `input_parameters` as JSON Schema that this model vendor accepts.'),
    ),
  }),
  reply: Tool,
  errors: ['Tool_ToolNotFound'],
})

export const requiredScopes = route({
  ...tools,
  id: 'tools.scopesRequired',
  audit: false,
  method: 'POST',
  path: '/tools/scopes/required',
  summary: 'List the scopes that tools need',
  description:
    'Returns the OAuth scopes that a set of tools of one toolkit needs, in total and for each tool.',
  example: { body: { tools: ['GITHUB_CREATE_AN_ISSUE'] } },
  body: Type.Object({
    tools: Type.Array(Slug, {
      minItems: 1,
      maxItems: 1000,
      description: 'Slugs of tools of one toolkit. At most 1000.',
    }),
    version: Type.Optional(Described(VersionText, 'Version of the toolkit. Default `latest`.')),
  }),
  reply: Type.Object({
    scopes_required: Type.Array(Type.String(), { description: 'OAuth scopes that cover all the tools.' }),
    per_tool_requirements: Type.Array(
      Type.Object({
        tool: Type.String({ description: 'Slug of the tool.' }),
        scope_requirements: Described(
          ScopeRequirements,
          'Which scopes are alternatives: all of `all_of` are needed, of an `any_of` one. Null ' +
            'when the tool needs none.',
        ),
      }),
      { description: 'Requirements of each tool.' },
    ),
  }),
  errors: ['Tool_ToolNotFound'],
})
