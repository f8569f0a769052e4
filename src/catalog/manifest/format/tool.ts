import { type Static, Type } from '../../../contract/schema-type.ts'
import { IdempotencyKey, ToolLimits } from './limits.ts'
import { UntrustedContent } from './untrusted-content.ts'
import { Pagination } from './pagination.ts'
import { conditionThat, OneOfText, optional, Path, Strict, Text, TextMap } from './shapes.ts'
import { Mcp, Request } from './tool-request.ts'

const Scope = Type.Union([
  Type.String(),
  Strict({ any_of: Type.Array(Type.String(), { description: 'Scopes of which one suffices.' }) }),
])

/** Slug of a tool or trigger. */
export const Slug = { pattern: '^[A-Z0-9_]+$', maxLength: 64 }

/** The fields that tools and triggers share. */
export const AliasesAndScopes = {
  aliases: optional(
    Type.Array(Type.String(Slug), {
      maxItems: 20,
      description: 'Former slugs. They work like the slug, and are not listed.',
    }),
  ),
  scopes: optional(
    Strict(
      {
        all_of: Type.Array(Scope, {
          description: 'Scopes. An entry can be a list of alternatives of which one suffices.',
        }),
      },
      { description: 'Required OAuth scopes of the connection.' },
    ),
  ),
}

/** One tool: the texts and schemas that a model reads, and the request. */
export const Tool = Strict(
  {
    slug: Text('`<TOOLKIT>_<ACTION>`, at most 64 characters. Never changes.', Slug),
    name: Text('Short name in words.', { maxLength: 80 }),
    description: Text(
      'What the tool does, what it returns and when to use it, for a model that does not know the API.',
      { minLength: 20, maxLength: 1024 },
    ),
    human_description: optional(Text('One short line for people. Default: `name`.')),
    phrases: optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 120 }), {
        maxItems: 16,
        description:
          'What people say who want this, in words that name and description do not have. The search reads ' +
          'them; they are no part of a version.',
      }),
    ),
    effect: OneOfText(['read', 'create', 'update', 'delete'], {
      description: 'Effect of a call. The hint tags are derived from it.',
    }),
    idempotent: optional(
      Type.Boolean({
        description:
          'A repeated call has no further effect. Default true for read and delete. Never true for a GET that is ' +
          'not a read.',
      }),
    ),
    open_world: optional(
      Type.Boolean({
        description:
          'Accesses systems outside of the user’s own data. Default true, except for local toolkits.',
      }),
    ),
    untrusted_content: optional(UntrustedContent),
    sends_data: optional(
      Type.Boolean({
        description:
          'A call passes its arguments to other people or to a server that an argument names. Default: true for ' +
          'create, update and delete, and for toolkits with content of the web.',
      }),
    ),
    important: optional(Type.Boolean({ description: 'Listed first, with the tag `important`.' })),
    tags: optional(Type.Array(Type.String(), { description: 'Further tags, e.g. the area of the API.' })),
    deprecated: optional(
      Type.Union(
        [
          Type.Boolean(),
          Strict({
            replaced_by: optional(Text('Slug of the tool that replaces it.')),
            reason: optional(Text('Reason, in one sentence.', { maxLength: 300 })),
            gone: optional(
              Type.Boolean({
                description:
                  'The application no longer has the operation: a call returns 410. Default false: the ' +
                  'tool still works.',
              }),
            ),
          }),
        ],
        { description: 'The tool will be removed: `true`, or its replacement and the reason.' },
      ),
    ),
    ...AliasesAndScopes,
    no_auth: optional(
      Type.Boolean({
        description: 'The tool works without a connection, although the toolkit has connections.',
      }),
    ),
    use_token: optional(
      Text(
        'Name of another token of the connection, e.g. `user_access_token`, which replaces ' +
          '`access_token` in every request of this tool.',
      ),
    ),
    docs_url: optional(Text('Page of the vendor about this operation.')),
    source: optional(
      Strict(
        {
          document: Text('Id of the document, e.g. `github#0`, or the place of a source.', {
            maxLength: 300,
          }),
          version: optional(Text('Version that the document states.', { maxLength: 80 })),
          tier: OneOfText(['vendor', 'confirmed', 'harvested', 'directory', 'connector', 'reconstructed'], {
            description:
              'Trust in the source. vendor: published by the vendor. confirmed: two independent sources ' +
              'state the same method and path. harvested: a copy of the vendor’s document. directory: from a ' +
              'public directory, often older. connector: written for another product. reconstructed: ' +
              'written by a third party.',
          }),
          also: optional(
            Type.Array(Type.String({ maxLength: 300 }), {
              description: 'Further sources that state the same method and path.',
              maxItems: 8,
            }),
          ),
        },
        {
          description:
            'API document or other source from which the tool was generated. A tool without it is written by ' +
            'hand, and search prefers it.',
        },
      ),
    ),
    input: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'JSON Schema (2020-12 subset) of the arguments, of type object. Every property has a description.',
      },
    ),
    output: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'JSON Schema of `data`, of type object. Results are not validated.',
      },
    ),
    request: optional(Request),
    mcp: optional(Mcp),
    run: optional(
      Type.Literal('code', {
        description:
          'The file tools.ts of the toolkit exports a record `tools` with the function of this tool ' +
          'under its slug.',
      }),
    ),
    response: optional(
      Strict(
        {
          pick: optional(Path('Path of the part of the response that becomes `data`.')),
          wrap: optional(
            Text('Key for a response that is not an object. Default `items` for lists, `value` for others.'),
          ),
          rename: optional(TextMap('Properties of `data` to their new names.')),
          omit: optional(
            Strict(
              {
                paths: Type.Array(
                  Text('E.g. `_links` or `items[*].html_url`.', {
                    pattern: '^[^.\\s\\[\\]]+(\\[\\*\\])?(\\.[^.\\s\\[\\]]+(\\[\\*\\])?)*$',
                    maxLength: 200,
                  }),
                  {
                    minItems: 1,
                    maxItems: 100,
                    description: 'Properties of `data`, before `rename`. `[*]` is every item of a list.',
                  },
                ),
                asked_by: Text('Boolean argument with which a call requests the omission.'),
              },
              { description: 'Properties that are omitted when a call requests it.' },
            ),
          ),
          file: optional(
            Strict(
              {
                member: Text(
                  'Property of `data` that becomes the file, marked `file_downloadable` in the output.',
                ),
                content: optional(
                  Path(
                    'Path of the content in the response, as text. Default: the whole response is the file.',
                  ),
                ),
                encoding: optional(
                  OneOfText(['base64', 'base64url', 'text'], {
                    description: 'Encoding of the text. Default base64.',
                  }),
                ),
                name: optional(Text('Name of the file. May contain arguments, e.g. `{file_name}`.')),
                mimetype: optional(Text('Media type if the response has none. May contain arguments.')),
              },
              {
                description:
                  'The response is a file or contains one. In `data` it is `{name, mimetype, s3url}`.',
              },
            ),
          ),
        },
        { description: 'How the response becomes `data`.' },
      ),
    ),
    success_when: optional(conditionThat('Replaces the condition of the toolkit.')),
    pagination: optional(Pagination),
    idempotency_key: optional(IdempotencyKey),
    limits: optional(ToolLimits),
  },
  { description: 'A tool has one of `request`, `mcp` and `run: code`.' },
)

export const Tools = Strict({
  $schema: optional(Type.String({ description: 'For editors. The server ignores it.' })),
  tools: Type.Array(Tool, { minItems: 1 }),
})

export type ToolManifest = Static<typeof Tool>
