import { type Static, Type } from 'typebox'
import { OneOfText, optional, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/** A request that the server makes by itself with the credentials of a connection; its texts may use the values of the connection. */
export const ASK = {
  path: TemplateText('Path below the base address, or an absolute address.'),
  method: optional(OneOfText(['GET', 'POST'], { description: 'Default GET.' })),
  query: optional(TextMap('Query parameters.')),
  headers: optional(TextMap('Header fields beyond those of the toolkit.')),
  body: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Members of the body, e.g. `query` of a GraphQL API. Texts in it are templates: write `{{` for a brace that no white space follows.' })),
  body_type: optional(OneOfText(['json', 'form'], { description: 'Default json.' })),
}

/** Either a path into the reply or, with a brace in it, a template. */
const member = (what: string) => optional(Text(`${what}: a path into the reply, such as \`user.email\`, or a template of values of the connection, such as \`{server_url}\`.`, { maxLength: 200 }))

export const Validate = Strict(ASK, { description: 'How new credentials are tried, where that is another request than `identity`.' })

export const Identity = Strict({
  ...ASK,
  id: member('What never changes of the account'), email: member('Its e-mail address'), name: member('What people call it'), tenant: member('The workspace, organization or server it belongs to'),
}, { description: 'Whose account it is: asked after every successful connection, and what new credentials are tried with.' })

export type AskManifest = Static<typeof Validate>
export type IdentityManifest = Static<typeof Identity>
