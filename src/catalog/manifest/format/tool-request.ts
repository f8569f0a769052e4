import { type Static, Type } from '../../../contract/schema-type.ts'
import { OneOfText, optional, Path, Strict, TemplateText, Text, TextMap } from './shapes.ts'

/**
 * Serialization of lists and objects in a query, a form or a multipart body. `parameter-serialization.ts` has
 * examples.
 */
export const QUERY_STYLES = ['repeat', 'comma', 'space', 'pipe', 'tab', 'brackets', 'spread'] as const
/** RFC 6570 §3.2.2, §3.2.5 and §3.2.7. */
export const PATH_STYLES = [
  'simple',
  'simple_explode',
  'label',
  'label_explode',
  'matrix',
  'matrix_explode',
] as const
export const BODY_TYPES = ['json', 'form', 'text', 'multipart', 'binary'] as const

/**
 * JSON in which `{"$": "name"}` stands for the argument `name`, and a text may hold `{name}` places. An
 * object member or list item whose argument is absent is left out. `{"$": "name", "as": "csv"}` writes a list
 * as `a,b`; `as` may also be `json` (its JSON text), `string`, `number`, `base64`, `pairs` (an object as
 * `a,1,b,2`), `members` (as `a=1,b=2`), `file` (bytes that were given as text, base64 or an upload),
 * `file_name`, `file_type` or `file_size` (of an upload).
 */
const ValueTemplateText = Type.Unknown({ description: 'JSON template: `{"$": "argument"}` or a literal.' })

/** `["title", "body"]` is short for `{"title": {"$": "title"}, "body": {"$": "body"}}`. */
const Parameters = (description: string) =>
  Type.Union([Type.Array(Type.String()), Type.Record(Type.String(), ValueTemplateText)], { description })

const SerializationStyles = (description: string) =>
  Type.Record(Type.String(), OneOfText(QUERY_STYLES), { description })

export const Request = Strict(
  {
    method: OneOfText(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'], {
      description: 'HTTP method.',
    }),
    path: TemplateText(
      'Path below `base_url`, or an absolute URL. `{name}` is replaced by an argument, ' +
        'percent-encoded. `{+name}` keeps slashes (RFC 6570).',
    ),
    path_style: optional(
      Type.Record(Type.String(), OneOfText(PATH_STYLES), {
        description:
          'Serialization of a list or an object in the path (RFC 6570): `a,b`, `.a,b`, `;name=a,b`, ' +
          'and their exploded forms. Default simple.',
      }),
    ),
    query: optional(Parameters('Query parameters.')),
    query_style: optional(
      SerializationStyles(
        'Serialization of a list or an object, by the name of the parameter. Default repeat.',
      ),
    ),
    headers: optional(Parameters('Headers in addition to those of the toolkit.')),
    cookies: optional(Parameters('Cookies. Names and values are percent-encoded.')),
    body: optional(
      Type.Union([Type.Array(Type.String()), Type.Unknown()], {
        description:
          'A list of argument names, or a JSON template. With `{"$": "document"}` one argument is the ' +
          'whole body.',
      }),
    ),
    body_type: optional(
      OneOfText(BODY_TYPES, {
        description:
          'Default json. `multipart` is multipart/form-data; `binary` sends the bytes of one argument ' +
          '`as` file. A `content-type` header can be more specific.',
      }),
    ),
    body_style: optional(
      SerializationStyles('As query_style, for the properties of a form or multipart body.'),
    ),
    part_types: optional(
      TextMap('Content type of a multipart part that is not a file. Default: plain text or JSON.'),
    ),
    body_optional: optional(
      Type.Boolean({
        description:
          'Send no body when all its properties are left out. Default false: an empty object is sent.',
      }),
    ),
    timeout_seconds: optional(
      Type.Integer({
        minimum: 1,
        maximum: 300,
        description: 'Timeout of the response. Default: that of the toolkit.',
      }),
    ),
  },
  { description: 'The HTTP request of the tool.' },
)

export const Mcp = Strict(
  {
    tool: Text('Name of the tool on the server.', { maxLength: 256 }),
    headers: optional(
      Type.Record(Type.String(), Path('Path of the value in the arguments.'), {
        description:
          'Arguments that are also sent in a header `Mcp-Param-<name>` (MCP 2026-07-28, ' +
          '`x-mcp-header`): that name to the path of the argument.',
      }),
    ),
    timeout_seconds: optional(
      Type.Integer({
        minimum: 1,
        maximum: 300,
        description: 'Timeout of the call, handshake included. Default: that of the toolkit.',
      }),
    ),
  },
  {
    description:
      'The tool of a remote MCP server that is called with the unchanged arguments. `base_url` is the ' +
      'URL of the server, which must support streamable HTTP.',
  },
)

export type RequestManifest = Static<typeof Request>
export type QueryStyle = (typeof QUERY_STYLES)[number]
export type PathStyle = (typeof PATH_STYLES)[number]
export type BodyType = (typeof BODY_TYPES)[number]
