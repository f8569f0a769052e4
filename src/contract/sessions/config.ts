import { type TSchema, Type } from '../schema-type.ts'
import { Described, Enum, Id, Open, Url } from '../common.ts'
import { Flag, OptionalOrNull, Toolkits, ToolSlugs } from './common.ts'

const HINTS = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
  'createHint',
  'updateHint',
] as const

const SANDBOX_SIZES = ['standard', 'medium', 'large', 'xlarge'] as const

const Hints = Type.Array(Enum(HINTS), { maxItems: 20 })

/** Tag filters. Responses spell the lists `enabled` and `disabled`; requests may use both spellings. */
const HintLists = Type.Object({
  enable: Type.Optional(Described(Hints, 'Enabled tags: a tool needs one of them.')),
  disable: Type.Optional(Described(Hints, 'Disabled tags: a tool must have none of them.')),
  enabled: Type.Optional(Described(Hints, 'The same as `enable`.')),
  disabled: Type.Optional(Described(Hints, 'The same as `disable`.')),
  require_approval: Type.Optional(
    Described(Hints, 'Calls of tools with one of these tags need an approval.'),
  ),
})

const TagFilter = Type.Union([Hints, HintLists], {
  description:
    'Tags of the tools: a list of enabled tags, or an object with lists. A tool needs one of the enabled ' +
    'tags and none of the disabled ones.',
})

const ByToolkit = <T extends TSchema>(value: T, options: object = {}) =>
  Type.Record(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }), value, {
    maxProperties: 1000,
    additionalProperties: false,
    ...options,
  })

const Permissions = Type.Object(
  {
    default: Type.Optional(
      Enum(['allow_all', 'ask_every_call', 'ask_once_per_session'], {
        description: 'Default for all tools. Default `allow_all`.',
      }),
    ),
    overrides: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 256 }),
        Enum(['always_allow', 'always_deny', 'ask_once', 'ask_always']),
        {
          maxProperties: 1000,
          description:
            'Exceptions. A key is a tool, a colon, and an account id or `__none__`; `*` means ' +
            'every tool.',
        },
      ),
    ),
  },
  {
    description: 'Calls that a person has to approve before they run.',
  },
)

const Hook = Open(
  {
    id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Id of the hook. Default: generated.' }),
    ),
    name: Type.Optional(Type.String({ maxLength: 128, description: 'Display name of the hook.' })),
    type: Enum(['before_execute', 'after_execute'], {
      description: 'When the hook is called: before or after a tool is executed.',
    }),
    applies_to: Type.Optional(
      Open(
        { toolkits: Type.Optional(Described(Toolkits, 'Slugs of toolkits.')) },
        { description: 'Calls for which the hook is called. Default: all.' },
      ),
    ),
    handler: Open(
      { type: Type.String({ minLength: 1, maxLength: 64, description: 'Kind of the handler.' }) },
      { maxProperties: 20, description: 'What is called.' },
    ),
  },
  { maxProperties: 20 },
)

/** Settings of a session. `null` selects the default. */
export const ConfigFields = {
  toolkits: OptionalOrNull(
    Type.Object(
      {
        enable: Type.Optional(Described(Toolkits, 'Only these toolkits.')),
        disable: Type.Optional(Described(Toolkits, 'All toolkits except these.')),
      },
      { description: 'Toolkits of the session: either `enable` or `disable`. Default: all toolkits.' },
    ),
  ),
  auth_configs: OptionalOrNull(
    ByToolkit(Id('ac'), {
      description: 'Auth configs by toolkit slug, in place of the ones that would be selected.',
    }),
  ),
  connected_accounts: OptionalOrNull(
    ByToolkit(Type.Union([Id('ca'), Type.Array(Id('ca'), { minItems: 1, maxItems: 10 })]), {
      description: 'Connected accounts by toolkit slug. Several accounts need `multi_account`.',
    }),
  ),
  manage_connections: OptionalOrNull(
    Type.Object(
      {
        enable: Described(
          Flag,
          'Whether the session has a tool with which users connect accounts. Default true.',
        ),
        callback_url: OptionalOrNull(Described(Url, 'URL to which the browser returns after connecting.')),
        enable_wait_for_connections: Described(
          Flag,
          'Whether the session has a tool that waits until users have connected. Default false.',
        ),
        enable_connection_removal: Described(
          Flag,
          'Whether users can delete connections with the tool. Default true.',
        ),
      },
      { description: 'Whether and how users connect accounts in the session.' },
    ),
  ),
  tools: OptionalOrNull(
    ByToolkit(
      Type.Object({
        enable: Type.Optional(Described(ToolSlugs, 'Only these tools.')),
        disable: Type.Optional(Described(ToolSlugs, 'All tools except these.')),
        tags: Type.Optional(TagFilter),
      }),
      { description: 'Tools by toolkit slug: one of `enable`, `disable` and `tags`.' },
    ),
  ),
  tags: Type.Optional(
    Type.Union([Hints, HintLists, Type.Null()], {
      description: 'Tags of the tools in all toolkits: a list of enabled tags, or an object.',
    }),
  ),
  workbench: OptionalOrNull(
    Type.Object(
      {
        enable: Described(
          Flag,
          'Whether the session runs code (Python and bash), and moves large results to its files. Default true.',
        ),
        enable_proxy_execution: Described(
          Flag,
          'Whether code in the sandbox may send requests with `proxy_execute`. Default true.',
        ),
        auto_offload_threshold: OptionalOrNull(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 10_000_000,
            description:
              'Size in characters above which results are stored in the mount of the session. Default 20,000.',
          }),
        ),
        sandbox_size: Type.Optional(
          Type.Unsafe<(typeof SANDBOX_SIZES)[number] | null>({
            type: ['string', 'null'],
            enum: [...SANDBOX_SIZES, null],
            description:
              'Memory of the sandbox: 1, 2, 4 or 8 GB. A change replaces the sandbox. Default `standard`.',
          }),
        ),
      },
      { description: 'The sandbox in which the session runs code, and the treatment of large results.' },
    ),
  ),
  multi_account: OptionalOrNull(
    Type.Object(
      {
        enable: Described(Flag, 'Whether a user may use several accounts of one toolkit. Default false.'),
        max_accounts_per_toolkit: OptionalOrNull(
          Type.Integer({
            minimum: 2,
            maximum: 10,
            description: 'Largest number of accounts for each toolkit. Default 5.',
          }),
        ),
        require_explicit_selection: Described(
          Flag,
          'Whether calls have to send `account` when there are several. Default false.',
        ),
      },
      { description: 'Use of several accounts of one toolkit.' },
    ),
  ),
  preload: OptionalOrNull(
    Type.Object(
      { tools: Type.Union([ToolSlugs, Type.Literal('all')], { description: 'Slugs of tools, or `all`.' }) },
      {
        description:
          'Tools that are listed next to the meta tools. `all` lists every tool that the filters select.',
      },
    ),
  ),
  search: OptionalOrNull(
    Type.Object(
      { enable: Described(Flag, 'Whether the session has the tools that search. Default true.') },
      { description: 'Search for tools.' },
    ),
  ),
  execute: OptionalOrNull(
    Type.Object(
      {
        enable_multi_execute: Described(
          Flag,
          'Whether the session has the tool that executes several tools. Default true.',
        ),
      },
      { description: 'Execution by meta tools.' },
    ),
  ),
  hooks: OptionalOrNull(
    Type.Array(Hook, {
      maxItems: 20,
      description: 'HTTP endpoints that are called before or after tools. At most 20.',
    }),
  ),
}

export const ExperimentalFields = {
  assistive_prompt_config: OptionalOrNull(
    Type.Object(
      {
        user_timezone: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            examples: ['Europe/Lisbon'],
            description: 'Time zone of the user, as an IANA name.',
          }),
        ),
      },
      { description: 'Settings of the generated system prompt.' },
    ),
  ),
  permissions: OptionalOrNull(Permissions),
  link_url_overwrite: OptionalOrNull(
    Described(Url, 'URL of your application that replaces the hosted page in links.'),
  ),
}
