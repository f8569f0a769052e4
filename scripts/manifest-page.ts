import { SCHEME_FIELDS } from '../src/catalog/manifest/compile/auth/scheme-fields.ts'
import { Toolkit, Tools, Triggers } from '../src/catalog/manifest/format/index.ts'
import { Condition, Field } from '../src/catalog/manifest/format/shapes.ts'
import { Request } from '../src/catalog/manifest/format/tool-request.ts'

interface Schema {
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** Shapes with a section of their own, recognized by their properties. */
const NAMED: readonly [title: string, schema: Schema][] = [
  ['Condition', plain(Condition)],
  ['Field', plain(Field)],
  ['Request', plain(Request)],
]

const INTRO = `# The manifest of a toolkit

Written from \`src/catalog/manifest/format/\` by \`scripts/write-manifest-schema.ts\`; do not edit. Editors use the same
format as a JSON Schema: [manifest.schema.json](manifest.schema.json).

A toolkit is a folder below \`toolkits/\` with the name of its slug:

| File | Content |
|---|---|
| \`toolkit.json\` | metadata, authentication and errors of the application |
| \`tools.json\` | the tools: texts and schemas for models, and the requests |
| \`tools/<SLUG>.json\` | one tool a file, in place of \`tools.json\` |
| \`schemas.json\` | the definitions that the files of \`tools/\` share |
| \`triggers.json\` | the trigger types, if any: how events are received, and their payload |
| \`icon.svg\` | the icon, without scripts, styles or references |
| \`tools.ts\` | only for tools with \`"run": "code"\`: exports a record \`tools\`, slug to function |
| \`versions/<YYYYMMDD_NN>/\` | the JSON files of an older release; those of the first release must stay |

\`toolkits/_families/<name>.json\` has blocks that several toolkits share: a toolkit.json with \`"extends": "<name>"\`
gets them. \`$defs\` in tools.json and schemas.json has JSON Schemas that several tools share. See
[Share blocks between tools and toolkits](../guides/share-blocks.md).

Unknown keys are rejected. The server checks every folder when it starts and reports all problems at once, with file,
place and reason.

## Templates

A template is a text with placeholders. They are replaced when a request is made: by values of the connection (fields,
tokens, captured values) and, in a request, by the arguments of the tool or the configuration of the trigger.

| Placeholder | Meaning |
|---|---|
| \`{name}\` | the value of \`name\`; an error when it has no value |
| \`{a\\|\\|b}\`, \`{a\\|\\|'text'}\` | the first that is set; a text in quotes is the default |
| \`{name\\|filter}\` | the value after a filter: base64, base64url, md5, sha256, urlencode, lower, upper, trim, \
before_colon, after_colon, public_key_sha256 (of a private key in PEM form) |
| \`{name?}\` | the header, query parameter or body property is left out when \`name\` is not set |
| \`{+name}\` | in a path: slashes of the value are kept |
| \`{{\` | one brace; so is a brace before white space, a quote or a closing brace |

In a path, values are percent-encoded and must not contain \`.\` or \`..\` segments. A placeholder at the start of a URL
is replaced by a whole URL, one in its host by a part of a host name.

## JSON templates

Query, headers and body of a request are JSON in which \`{"$": "name"}\` is the argument \`name\`.
\`{"$": "name", "as": "csv"}\` converts it: to \`csv\`, \`json\`, \`string\`, \`number\`, \`base64\`, \`pairs\` (an
object as \`a,1,b,2\`), \`members\` (as \`a=1,b=2\`), or \`file\`: bytes for a multipart or binary body, from a text or
from \`{name, mimetype, content, encoding}\` with encoding \`text\` or \`base64\`. A list of names,
\`["title", "body"]\`, is short for \`{"title": {"$": "title"}, "body": {"$": "body"}}\`. A property whose argument is
absent is left out, and so is an object or list whose properties or items were all left out.

## Lists and objects in a query, a form or a multipart body

| Style | \`[1, 2]\` under \`a\` | \`{"b": 1, "c": 2}\` under \`a\` |
|---|---|---|
| \`repeat\` (default) | \`a=1&a=2\` | its JSON |
| \`comma\` | \`a=1,2\` | \`a=b,1,c,2\` |
| \`space\`, \`pipe\`, \`tab\` | \`a=1 2\`, \`a=1\|2\`, with a tab; the delimiter percent-encoded | likewise |
| \`brackets\` | \`a[]=1&a[]=2\`; lists of objects \`a[0][b]=1\` | \`a[b]=1&a[c]=2\` |
| \`spread\` | \`a=1&a=2\` | \`b=1&c=2\` |
`

/** The reference page of the manifest format. */
export function manifestPage(): string {
  const toolkit = plain(Toolkit)
  const schemes = toolkit.properties!.auth!.items!.anyOf!
  const tool = plain(Tools).properties!.tools!.items!
  const trigger = plain(Triggers).properties!.triggers!.items!
  return [
    INTRO,
    `## toolkit.json\n\n${table(toolkit, new Set(['auth']))}`,
    `## auth\n\n\`auth\` lists the authentication schemes; \`scheme\` selects one of these shapes. Every ` +
      `toolkit with OAUTH2 also accepts a BEARER_TOKEN.\n`,
    ...schemes.map(
      (scheme) =>
        '### ' +
        `${String(scheme.properties!.scheme!.const)}\n\n${ownFields(String(scheme.properties!.scheme!.const))}${table(scheme)}`,
    ),
    `## tools.json\n\n\`{"tools": […]}\`, each with:\n\n${table(tool)}`,
    `## triggers.json\n\n\`{"triggers": […]}\`, each with the following keys. Common parts of several ` +
      `webhooks can be in \`webhook\` next to \`triggers\`.\n\n${table(trigger)}`,
    ...NAMED.map(([title, schema]) => `## ${title}\n\n${schema.description}\n\n${table(schema)}`),
  ].join('\n')
}

function ownFields(mode: string): string {
  const {
    auth_config_creation: config,
    connected_account_initiation: account,
    supplies,
  } = SCHEME_FIELDS[mode]!
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const lines = [
    config.length > 0 && `- Fields of the auth config: ${list(config.map(({ name }) => name))}`,
    account.length > 0 && `- Fields of the connection: ${list(account.map(({ name }) => name))}`,
    supplies.length > 0 && `- Further names for templates: ${list(supplies)}`,
  ].filter((line) => line !== false)
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : ''
}

function table(schema: Schema, closed: ReadonlySet<string> = new Set()): string {
  return (
    ['| Key | Type | Required | Meaning |', '|---|---|---|---|', ...rows(schema, '', closed)].join('\n') +
    '\n'
  )
}

/** Returns one row a key. The keys of an inner object follow with a dotted name. */
function rows(schema: Schema, prefix: string, closed: ReadonlySet<string>): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key
    const row =
      `| \`${name}\` | ${typeOf(property)} | ${schema.required?.includes(key) ? 'yes' : ''} | ` +
      `${meaning(property)} |`
    if (closed.has(key) || namedOf(property)) return [row]
    const inner =
      property.items && !namedOf(property.items)
        ? ([property.items, `${name}[].`] as const)
        : ([property, `${name}.`] as const)
    const objects = [inner[0], ...(inner[0].anyOf ?? [])].filter((one) => one.properties && !namedOf(one))
    return [row, ...objects.flatMap((one) => rows(one, inner[1], closed))]
  })
}

function typeOf(schema: Schema): string {
  const definition = namedOf(schema)
  if (definition) return `[${definition}](#${definition.toLowerCase()})`
  if (schema.const !== undefined) return `\`${String(schema.const)}\``
  if (schema.enum) return schema.enum.map((word) => `\`${String(word)}\``).join(', ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(', ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  if (schema.patternProperties) return `map to ${typeOf(Object.values(schema.patternProperties)[0]!)}`
  return schema.type ?? 'any JSON'
}

function meaning(schema: Schema): string {
  const limits = [
    schema.default !== undefined && `Default \`${String(schema.default)}\`.`,
    schema.minimum !== undefined && schema.maximum !== undefined && `${schema.minimum} to ${schema.maximum}.`,
    schema.maxLength !== undefined && `At most ${schema.maxLength} characters.`,
    schema.pattern !== undefined && schema.pattern.length < 40 && `Pattern \`${schema.pattern}\`.`,
  ].filter((limit) => limit !== false)
  return [schema.description ?? schema.items?.description ?? '', ...limits]
    .filter(Boolean)
    .join(' ')
    .replaceAll('|', '\\|')
    .replace(/\s+/g, ' ')
}

function namedOf(schema: Schema): string | undefined {
  const shape = schema.properties && JSON.stringify(schema.properties)
  return shape === undefined
    ? undefined
    : NAMED.find(([, { properties }]) => JSON.stringify(properties) === shape)?.[0]
}

/** Drops the types of TypeBox, which describe one schema each. */
function plain(schema: unknown): Schema {
  return schema as Schema
}
