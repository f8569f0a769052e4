import { Option } from 'commander'
import { commandOf, flagOf } from '../../contract/command-words.ts'
import type { Route } from '../../contract/route.ts'
import { kindOf, PLACEHOLDERS, soleField, type Schema, type ValueKind } from '../arguments/values.ts'

/** A flag of a command, for one field of the query or of the body. */
export interface Flag {
  /** Name of the field in the API. */
  field: string
  /** Without dashes: `toolkit-slug`. */
  name: string
  place: 'query' | 'body'
  kind: ValueKind
  required: boolean
  description: string
  choices?: readonly string[]
  /** The field of the object that a plain text sets. */
  soleField?: string | undefined
}

/** An API operation as a command. The program, its help and its reference are generated from it. */
export interface Operation {
  route: Route
  group: string
  name: string
  /** Names of the path parameters, in order. */
  pathParameters: string[]
  flags: Flag[]
  /** Whether the command takes `--data`. */
  hasBody: boolean
}

export function toOperation(route: Route): Operation {
  const [group, name] = commandOf(route.id)
  const body = route.body as Schema
  const ofBody = flagsOf(body, 'body')
  // A field that both the query and the body take is one flag. It sets the body, which has priority on the
  // server too.
  const flags = [
    ...flagsOf(route.query as Schema, 'query').filter(
      ({ name }) => !ofBody.some((flag) => flag.name === name),
    ),
    ...ofBody,
  ]
  const hasBody = ofBody.length > 0
  return {
    route,
    group,
    name,
    pathParameters: [...route.path.matchAll(/:(\w+)/g)].map(([, place]) => place as string),
    flags,
    hasBody,
  }
}

function flagsOf({ properties = {}, required = [] }: Schema, place: Flag['place']): Flag[] {
  return Object.entries(properties)
    .map(([field, schema]) => {
      const choices = (schema.enum ?? schema.items?.enum)?.map(String)
      return {
        field,
        place,
        name: flagOf(field),
        kind: kindOf(schema),
        soleField: soleField(schema),
        required: required.includes(field),
        description:
          schema.description ?? (schema.examples ? `for example ${schema.examples.join(' or ')}` : ''),
        ...(choices ? { choices } : {}),
      }
      // An old spelling of a field is the same flag. The new one comes first.
    })
    .filter(({ name }, index, all) => all.findIndex((flag) => flag.name === name) === index)
}

/** Returns a flag in the form of the parser. A boolean flag also gets its negation. */
export function toOptions({ name, kind, description, choices, required, soleField: field }: Flag): Option[] {
  const notes = [
    description.replace(/\.$/, ''),
    choices ? `one of ${choices.join(', ')}` : '',
    kind === 'texts' ? 'repeat it, or separate values by commas' : '',
    required ? 'required' : '',
  ].filter(Boolean)
  const option = new Option(
    `--${name} ${field === undefined ? PLACEHOLDERS[kind] : `<${field}|json>`}`,
    notes.join('; '),
  )
  if (kind === 'texts')
    return [option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value])]
  return kind === 'boolean' ? [option.preset(true), new Option(`--no-${name}`).hideHelp()] : [option]
}
