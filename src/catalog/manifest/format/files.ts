import { Type } from '../../../contract/schema-type.ts'
import { optional, Strict, Text } from './shapes.ts'
import { Tool, Tools } from './tool.ts'
import { Toolkit } from './toolkit.ts'

// The files as authors write them, for the JSON Schema of editors. The server validates what they become when
// families and definitions are written out: `Toolkit` and `Tools`.

const Definitions = Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]*$' }), Type.Unknown(), {
  description:
    'JSON Schemas that several tools use. `{"$ref": "#/$defs/<name>"}` in `input` or `output` stands for the ' +
    'definition; keys next to `$ref` replace those of the definition. Each definition must be used and must not ' +
    'refer to itself.',
})

const EditorSchema = optional(Type.String({ description: 'For editors. The server ignores it.' }))

/** `tools.json`. */
export const ToolsFile = Strict({ ...Tools.properties, $defs: optional(Definitions) })

/** `tools/<SLUG>.json`. */
export const ToolFile = Strict(
  { $schema: EditorSchema, ...Tool.properties },
  { description: 'A tool has one of `request`, `mcp` and `run: code`.' },
)

/** `schemas.json`, next to the folder `tools`. */
export const SchemasFile = Strict({ $schema: EditorSchema, $defs: Definitions })

/** `toolkit.json` of a toolkit with `extends`, whose family has the keys that are missing. */
export const ExtendingToolkitFile = Type.Object(
  {
    slug: Toolkit.properties.slug,
    created: Toolkit.properties.created,
    releases: Toolkit.properties.releases,
    extends: Text(
      'Name of a family: the blocks of `_families/<name>.json` apply, with those of this file over them. Objects ' +
        'are merged and null removes a key, as in a JSON Merge Patch (RFC 7396). Entries of `auth` are ' +
        'merged with the ' +
        'entry of the same scheme; other lists are replaced.',
      { pattern: '^[a-z0-9][a-z0-9_-]*$' },
    ),
  },
  { additionalProperties: true, description: 'A toolkit that shares blocks with others of its family.' },
)

/** `_families/<name>.json`. */
export const FamilyFile = Type.Partial(Type.Omit(Toolkit, ['slug', 'created', 'releases']), {
  additionalProperties: false,
  description: 'Blocks that toolkits of one family share, such as `auth`, `errors` and `rate_limit`.',
})
