import { type Static, Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/**
 * Fields of a request that the server sends with the credentials of a connection. Texts are templates over
 * the values of the connection.
 */
export const PROBE_REQUEST = {
  path: TemplateText('Path below `base_url`, or an absolute URL.'),
  method: optional(OneOfText(['GET', 'POST'], { description: 'Default GET.' })),
  query: optional(TextMap('Query parameters.')),
  headers: optional(TextMap('Headers in addition to those of the toolkit.')),
  body: optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Properties of the body, e.g. `query` of a GraphQL API. Texts are templates: write `{{` for a ' +
        'brace without white space after it.',
    }),
  ),
  body_type: optional(OneOfText(['json', 'form'], { description: 'Default json.' })),
}

/** A path into the response or, with a brace in it, a template. */
const replyText = (what: string) =>
  optional(
    Text(
      `${what}: a path into the response, e.g. \`user.email\`, or a template with values of the ` +
        `connection, e.g. \`{server_url}\`.`,
      { maxLength: 200 },
    ),
  )

export const Validate = Strict(
  {
    ...PROBE_REQUEST,
    accepts_403: optional(
      Type.Boolean({
        description:
          'Whether the status 403 means valid credentials that lack the permission for this request. Default false.',
      }),
    ),
  },
  { description: 'Request that verifies new credentials. Default: the request of `identity`.' },
)

export const Identity = Strict(
  {
    ...PROBE_REQUEST,
    id: replyText('Permanent id of the account'),
    email: replyText('E-mail address of the account'),
    name: replyText('Display name of the account'),
    tenant: replyText('Workspace, organization or server of the account'),
  },
  {
    description:
      'Request that returns the owner of the account. It is sent after every successful connection and ' +
      'to verify new credentials.',
  },
)

const PostConnectStep = Strict({
  request: Strict(PROBE_REQUEST, {
    description:
      'Sent with the new credentials. Credentials that need a value of this step or a later one are ' +
      'left out.',
  }),
  items: optional(
    Path('Path of the list in the response. Default `$`. A single object counts as a list of one.'),
  ),
  value: Path('Path of the unique value of an item.'),
  label: optional(Path('Path of the display text of an item. Default: `value`.')),
  what: optional(
    Text('Noun for the choice, e.g. `site` or `workspace`. Default `account`.', { maxLength: 40 }),
  ),
  select: OneOfText(['only', 'first', 'ask'], {
    description:
      '`only`: the list must have exactly one item. `first`: the first item. `ask`: the user selects ' +
      'one of several on a page.',
  }),
  save: Type.Record(Type.String(), Path('Path of the value in the item.'), {
    description: 'Name of a connection value to its path in the selected item.',
  }),
})

export const PostConnect = Type.Array(PostConnectStep, {
  minItems: 1,
  maxItems: 5,
  description:
    'Lookups before the connection is complete, e.g. of a site or a tenant. The steps run in order.',
})

export type PostConnectManifest = Static<typeof PostConnectStep>
export type ProbeRequestManifest = Static<typeof Validate>
export type IdentityManifest = Static<typeof Identity>
