import { type Static, Type } from 'typebox'
import { OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** A request that the server makes by itself with the credentials of a connection; its texts may use the values of the connection. */
export const PROBE_REQUEST = {
  path: TemplateText('Path below the base address, or an absolute address.'),
  method: optional(OneOfText(['GET', 'POST'], { description: 'Default GET.' })),
  query: optional(TextMap('Query parameters.')),
  headers: optional(TextMap('Header fields beyond those of the toolkit.')),
  body: optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Members of the body, e.g. `query` of a GraphQL API. Texts in it are templates: write `{{` for a brace that no white space follows.',
    }),
  ),
  body_type: optional(OneOfText(['json', 'form'], { description: 'Default json.' })),
}

/** Either a path into the reply or, with a brace in it, a template. */
const replyText = (what: string) =>
  optional(
    Text(
      `${what}: a path into the reply, such as \`user.email\`, or a template of values of the connection, such as \`{server_url}\`.`,
      { maxLength: 200 },
    ),
  )

export const Validate = Strict(PROBE_REQUEST, {
  description: 'How new credentials are tried, where that is another request than `identity`.',
})

export const Identity = Strict(
  {
    ...PROBE_REQUEST,
    id: replyText('What never changes of the account'),
    email: replyText('Its e-mail address'),
    name: replyText('What people call it'),
    tenant: replyText('The workspace, organization or server it belongs to'),
  },
  {
    description:
      'Whose account it is: asked after every successful connection, and what new credentials are tried with.',
  },
)

const PostConnectStep = Strict({
  request: Strict(PROBE_REQUEST, {
    description:
      'Sent with the new credentials. What of them needs a value that this step or a later one saves is left out.',
  }),
  items: optional(
    Path('Where the list stands in the reply. Default `$`; a single object counts as a list of one.'),
  ),
  value: Path('In an item: what tells it from the others.'),
  label: optional(Path('In an item: what a person reads. Default that of `value`.')),
  what: optional(
    Text('What is chosen, in a word: `site`, `workspace`. Default `account`.', { maxLength: 40 }),
  ),
  select: OneOfText(['only', 'first', 'ask'], {
    description:
      '`only`: there must be exactly one. `first`: the first of the list. `ask`: of several the user chooses on a page.',
  }),
  save: Type.Record(Type.String(), Path('Where the value stands in the item.'), {
    description: 'Name of a connection value to the path in the chosen item.',
  }),
})

export const PostConnect = Type.Array(PostConnectStep, {
  minItems: 1,
  maxItems: 5,
  description:
    'What has to be looked up or chosen before the connection is complete: a site, a tenant, an address. One step after another.',
})

export type PostConnectManifest = Static<typeof PostConnectStep>
export type ProbeRequestManifest = Static<typeof Validate>
export type IdentityManifest = Static<typeof Identity>
