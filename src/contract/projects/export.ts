import { Type } from '../schema-type.ts'
import { Nullable } from '../common.ts'
import { route } from '../route.ts'

/** The key of the last row, and the number of rows of each table. */
const CURSOR_CHARACTERS_MAX = 8_192

export const exportProject = route({
  audience: 'project',
  id: 'projects.export',
  method: 'POST',
  path: '/org/project/export',
  summary: 'Export everything a project owns',
  description:
    'An extension of this server. Returns a page of everything that the deletion of the project of the key would ' +
    'erase as NDJSON text, without credentials, keys and other secrets. Append pages to make the file. Its last line ' +
    'has the type `end`, the number of rows of each table and a digest of all lines, so that an interrupted export ' +
    'is recognized. Each page is an entry of the audit log.',
  example: { body: { limit: 1000 } },
  body: Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          description: 'Largest number of rows on a page. Default 200; values above 1000 count as 1000.',
          examples: [200],
        }),
      ),
      cursor: Type.Optional(
        Nullable(
          Type.String({
            maxLength: CURSOR_CHARACTERS_MAX,
            description: '`next_cursor` of the previous page. Omit it for the first page.',
          }),
        ),
      ),
    },
    { description: 'The page.' },
  ),
  reply: Type.Object({
    content: Type.String({
      description:
        'One JSON object a line: `type` is the table, `row` its columns, and `content` what the server stores ' +
        'encrypted.',
    }),
    next_cursor: Nullable(
      Type.String({ description: 'Value of `cursor` for the next page; null on the last page.' }),
    ),
  }),
})
