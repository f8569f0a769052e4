import type { QueryStyle, RequestManifest } from '../../manifest/format/index.ts'
import { isObject, type Json, object, getOwn } from '../json.ts'
import { bodyTypeOf, contentTypeOf } from './media-types.ts'
import type { Body } from '../model.ts'
import type { SchemaWriter } from '../schema/writer.ts'
import { type Argument, argumentOf, describedAs, fixedArgument } from './tool-argument.ts'
import { inWords, plainText } from './words.ts'

export interface BodyParts {
  readonly args: readonly Argument[]
  readonly request: Pick<
    RequestManifest,
    'body' | 'body_type' | 'body_style' | 'part_types' | 'body_optional'
  >
  readonly contentType: string | undefined
}

type NameOf = (wire: string, place: string) => string

/** Schema of an argument that is a file. */
export const FILE_ARGUMENT = {
  type: 'object',
  description: 'A file: `s3key` of one that was uploaded or returned, or its `content`.',
  file_uploadable: true,
  properties: {
    name: { type: 'string', description: 'File name.' },
    mimetype: { type: 'string', description: 'Its type.', examples: ['image/png'] },
    s3key: {
      type: 'string',
      description: 'Key of an uploaded file, or `s3key` of a file that another tool returned.',
    },
    content: { type: 'string', description: 'What it holds: text, or bytes in base64.' },
    encoding: {
      type: 'string',
      enum: ['text', 'base64'],
      description: 'How the content is written. Default: text.',
    },
  },
}

/** The arguments that fill a body: its members where it has names for them, else one for all of it. */
export function bodyParts(body: Body, writer: SchemaWriter, nameOf: NameOf): BodyParts {
  const type = bodyTypeOf(body.mediaType)
  if (type === 'text' || type === 'binary') return rawBody(body, type, writer, nameOf)
  const shape = writer.write(body.schema, 1)?.json ?? {}
  const members = membersOf(body, shape)
  if (!members) return wholeBody(body, type, nameOf)
  const required = new Set(body.required ? ((shape['required'] as string[] | undefined) ?? []) : [])
  return bodyOfMembers({ body, type, members, required, nameOf })
}

type BodyType = ReturnType<typeof bodyTypeOf>

const bodyDescription = ({ description }: Body): string | undefined =>
  description === undefined ? undefined : plainText(description, 300)

const typeKeyword = (type: BodyType) => (type === 'json' ? {} : { body_type: type })

function rawBody(body: Body, type: 'text' | 'binary', writer: SchemaWriter, nameOf: NameOf): BodyParts {
  const name = nameOf('body', 'body')
  const description = bodyDescription(body)
  const schema =
    type === 'binary'
      ? { ...FILE_ARGUMENT, description: description ?? FILE_ARGUMENT.description }
      : { type: 'string', description: textDescription(body, writer, description) }
  return {
    args: [fixedArgument(name, body.required, schema)],
    request: { body: type === 'binary' ? { $: name, as: 'file' } : { $: name }, body_type: type },
    contentType: contentTypeOf(body.mediaType),
  }
}

function wholeBody(body: Body, type: BodyType, nameOf: NameOf): BodyParts {
  const name = nameOf('body', 'body')
  const argument = argumentOf({
    name,
    required: body.required,
    place: body.schema,
    description: bodyDescription(body),
    fallback: 'Body of the request',
  })
  return {
    args: [argument],
    request: { body: { $: name }, ...typeKeyword(type) },
    contentType: contentTypeOf(body.mediaType),
  }
}

interface MemberSources {
  readonly body: Body
  readonly type: BodyType
  readonly members: Readonly<Record<string, Json>>
  readonly required: ReadonlySet<string>
  readonly nameOf: NameOf
}

function bodyOfMembers({ body, type, members, required, nameOf }: MemberSources): BodyParts {
  const template: Json = {}
  const styles: Record<string, QueryStyle> = {}
  const partTypes: Record<string, string> = {}
  const args: Argument[] = []
  for (const [wire, member] of Object.entries(members)) {
    const isRequired = required.has(wire)
    const constant = isRequired ? onlyValue(member) : undefined
    if (constant !== undefined) {
      template[wire] = typeof constant === 'string' ? constant.replaceAll('{', '{{') : constant
      continue
    }
    const encoding = body.encoding.get(wire)
    const name = nameOf(wire, 'body')
    const file = type === 'multipart' && isFile(member, encoding?.contentType)
    template[wire] = file ? { $: name, as: 'file' } : { $: name }
    args.push(
      file ? fileArgument(name, isRequired, member, wire) : memberArgument(name, isRequired, wire, body),
    )
    const style =
      type === 'json' || file || !isNested(member) ? undefined : styleOf(encoding?.style, encoding?.explode)
    if (style !== undefined) styles[wire] = style
    if (type === 'multipart' && MEDIA_TYPE.test(encoding?.contentType ?? ''))
      partTypes[wire] = encoding!.contentType!
  }
  return {
    args,
    contentType: contentTypeOf(body.mediaType),
    request: {
      body: template,
      ...typeKeyword(type),
      ...(Object.keys(styles).length > 0 && { body_style: styles }),
      ...(Object.keys(partTypes).length > 0 && { part_types: partTypes }),
      ...(!body.required && { body_optional: true as const }),
    },
  }
}

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/

/** The value of a member that can have one value only. */
function onlyValue(member: Json): string | number | boolean | undefined {
  const values = (member['enum'] as unknown[] | undefined) ?? []
  return values.length === 1 && ['string', 'number', 'boolean'].includes(typeof values[0])
    ? (values[0] as string)
    : undefined
}

/** The members of a body that is an object with known names and nothing else. */
function membersOf(body: Body, shape: Json): Readonly<Record<string, Json>> | undefined {
  const properties = object(shape['properties'])
  const plain = [shape['type']].flat().includes('object') && Object.keys(properties).length > 0
  return plain &&
    !('anyOf' in shape) &&
    !('allOf' in shape) &&
    !isObject(shape['additionalProperties']) &&
    !Object.hasOwn(properties, '$')
    ? (properties as Record<string, Json>)
    : undefined
}

/**
 * A member as the document wrote it is not at hand behind references and parts, so it is taken out of the
 * whole.
 */
function memberArgument(name: string, required: boolean, wire: string, body: Body): Argument {
  const described = (json: Json): Json => ({
    ...json,
    description: describedAs(json, undefined, inWords(wire)),
  })
  return {
    name,
    required,
    write(writer, depth) {
      // The members of a body are one level below it.
      const whole = writer.write(body.schema, depth + 1)
      return whole && { json: described(object(getOwn(whole.json['properties'], wire))), cut: whole.cut }
    },
    bare: () => ({ description: `${inWords(wire)}.` }),
  }
}

function fileArgument(name: string, required: boolean, member: Json, wire: string): Argument {
  const description =
    `${typeof member['description'] === 'string' ? member['description'] : `${inWords(wire)}.`} ` +
    `${FILE_ARGUMENT.description}`
  const file = { ...FILE_ARGUMENT, description }
  return fixedArgument(
    name,
    required,
    [member['type']].flat().includes('array') ? { type: 'array', items: FILE_ARGUMENT, description } : file,
  )
}

/** The writer marks files of every dialect with `format: binary`. */
function isFile(member: Json, contentType: string | undefined): boolean {
  return (
    [member, member['items']].some((one) => getOwn(one, 'format') === 'binary') ||
    /^(application\/(octet-stream|pdf|zip)|image\/|audio\/|video\/)/.test(contentType ?? '')
  )
}

const isNested = ({ type }: Json) =>
  type === undefined || [type].flat().some((one) => one === 'array' || one === 'object')

/** Without a word about it, a member of a form is as in a query: lists repeated, objects as JSON. */
function styleOf(style: string | undefined, explode: boolean | undefined): QueryStyle | undefined {
  if (style === 'deepObject') return 'brackets'
  if (explode ?? (style === undefined || style === 'form')) return undefined
  return style === 'spaceDelimited'
    ? 'space'
    : style === 'pipeDelimited'
      ? 'pipe'
      : style === 'tab'
        ? 'tab'
        : 'comma'
}

function textDescription(
  { mediaType, schema }: Body,
  writer: SchemaWriter,
  description: string | undefined,
): string {
  const names = Object.keys(object(writer.write(schema, 1)?.json['properties']))
  const root = getOwn(getOwn(schema.value, 'xml'), 'name')
  return plainText(
    [
      description ?? '',
      `The whole body, as ${mediaType.split(';')[0]}.`,
      typeof root === 'string' ? `Its root element is ${root}.` : '',
      names.length > 0 ? `Members: ${names.join(', ')}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    600,
  )
}
