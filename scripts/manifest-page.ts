import { SCHEME_FIELDS } from '../src/catalog/manifest/compile/auth/scheme-fields.ts'
import { Toolkit, Tools, Triggers } from '../src/catalog/manifest/format/index.ts'
import { Condition, Field } from '../src/catalog/manifest/format/shapes.ts'
import { Request } from '../src/catalog/manifest/format/tool.ts'

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

/** Shapes with a section of their own, known by their properties. */
const NAMED: readonly [title: string, schema: Schema][] = [
  ['Condition', plain(Condition)],
  ['Field', plain(Field)],
  ['Request', plain(Request)],
]

const INTRO = `# The manifest of a toolkit

Written from \`src/catalog/manifest/\` by \`scripts/write-manifest-schema.ts\`; do not edit. The same as a JSON Schema, for editors: [manifest.schema.json](manifest.schema.json).

A toolkit is a folder below \`toolkits/\`, named by its slug:

| File | Holds |
|---|---|
| \`toolkit.json\` | who the application is, how one signs in, what its errors mean |
| \`tools.json\` | its tools: what a model sees, and the request behind it |
| \`triggers.json\` | its trigger types, where it has some: how events are come by, and what they bring |
| \`icon.svg\` | its icon, without scripts, styles or references |
| \`tools.ts\` | only for tools with \`"run": "code"\`: exports a record \`tools\` that has each under its slug |
| \`versions/<YYYYMMDD_NN>/\` | \`toolkit.json\`, \`tools.json\` and \`triggers.json\` of an older release; the first release must be kept |

Unknown keys are refused. A start checks every folder and tells every mistake at once, with file, place and reason.

## Templates

A text with places that are filled when a request is made, from the connection (fields, tokens, captured values) and, in a request, from the arguments of the tool or the configuration of the trigger.

| Written | Means |
|---|---|
| \`{name}\` | the value of \`name\`; an error when nothing supplies it |
| \`{a\\|\\|b}\`, \`{a\\|\\|'text'}\` | the first that is set; a text in quotes is the default |
| \`{name\\|filter}\` | through a filter: base64, base64url, md5, sha256, urlencode, lower, upper, trim, before_colon, after_colon, public_key_sha256 (of a private key in PEM form) |
| \`{name?}\` | the header, query or body member is left out when \`name\` is not set |
| \`{+name}\` | in a path: slashes of the value are kept |
| \`{{\` | one brace; so is a brace before white space, a quote or a closing brace |

In a path, values are percent-encoded and cannot hold \`.\` or \`..\` segments. A place at the start of an address is filled with a whole address, one in its host with a part of a host name.

## JSON templates

Query, headers and body of a request are JSON in which \`{"$": "name"}\` is the argument \`name\`. \`{"$": "name", "as": "csv"}\` writes it in another form: \`csv\`, \`json\`, \`string\`, \`number\`,
\`base64\`, \`pairs\` (an object as \`a,1,b,2\`), \`members\` (as \`a=1,b=2\`), or \`file\`: bytes for a multipart or binary body, from a text or from \`{name, mimetype, content, encoding}\` with encoding \`text\` or \`base64\`. A list of names, \`["title", "body"]\`, is short for \`{"title": {"$": "title"}, "body": {"$": "body"}}\`. A member whose argument is absent is left out, and so is an object or list all of whose members were.

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
    `## auth\n\n\`auth\` lists the ways to sign in; \`scheme\` says which of these shapes an entry has. Every toolkit with OAUTH2 takes a BEARER_TOKEN too.\n`,
    ...schemes.map(
      (scheme) =>
        `### ${String(scheme.properties!.scheme!.const)}\n\n${ownFields(String(scheme.properties!.scheme!.const))}${table(scheme)}`,
    ),
    `## tools.json\n\n\`{"tools": […]}\`, each with:\n\n${table(tool)}`,
    `## triggers.json\n\n\`{"triggers": […]}\`, each with the following. What the webhooks of several share may stand once, as \`webhook\` beside \`triggers\`.\n\n${table(trigger)}`,
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
    config.length > 0 && `- Asked of the developer: ${list(config.map(({ name }) => name))}`,
    account.length > 0 && `- Asked of each user: ${list(account.map(({ name }) => name))}`,
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

/** One row a key; the keys of an inner object follow it with a dotted name. */
function rows(schema: Schema, prefix: string, closed: ReadonlySet<string>): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = prefix + key
    const row = `| \`${name}\` | ${typeOf(property)} | ${schema.required?.includes(key) ? 'yes' : ''} | ${meaning(property)} |`
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
  const named = namedOf(schema)
  if (named) return `[${named}](#${named.toLowerCase()})`
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

/** TypeBox's types say too much for a walk over any schema. */
function plain(schema: unknown): Schema {
  return schema as Schema
}
