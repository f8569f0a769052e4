import { UnsafeValue } from '../template/errors.ts'

/** The bytes of a file that came as an argument, on their way into a request. */
export class FileBytes {
  readonly name: string
  readonly type: string | undefined
  readonly bytes: Buffer

  constructor(name: string, type: string | undefined, bytes: Buffer) {
    this.name = name
    this.type = type
    this.bytes = bytes
  }

  /** In a body of JSON the bytes stand as base64. */
  toJSON(): string {
    return this.bytes.toString('base64')
  }
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
/** RFC 9110 §8.3.1, with parameters that are tokens. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/

/** Returns a media type that is valid in a header; undefined for anything else. */
export const validMediaType = (type: unknown): string | undefined =>
  typeof type === 'string' && MEDIA_TYPE.test(type) ? type : undefined

/**
 * A file as a model can give it: a plain text, or `{name, mimetype, content, encoding}`, where `encoding` is
 * `text` or `base64`. Lists are lists of files; one that was uploaded is one already.
 * @throws UnsafeValue when it is none of these, or when the type would break out of its header.
 */
export function parseFileArgument(value: unknown, argument: string): FileBytes | FileBytes[] {
  if (Array.isArray(value)) return value.map((one) => parseFileArgument(one, argument)).flat()
  if (value instanceof FileBytes) return value
  if (typeof value === 'string') return new FileBytes(argument, undefined, Buffer.from(value))
  const { name = argument, mimetype, content, encoding = 'text' } = (value ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || (mimetype !== undefined && validMediaType(mimetype) === undefined))
    throw new UnsafeValue(argument, 'needs a string `name` and a `mimetype` such as `image/png`')
  if (typeof content !== 'string' || (encoding !== 'text' && encoding !== 'base64'))
    throw new UnsafeValue(
      argument,
      'must be a file: a string, or an object with `content` and, for bytes, `encoding` base64',
    )
  if (encoding === 'base64' && !BASE64.test(content.replace(/\s+/g, '')))
    throw new UnsafeValue(argument, 'must have its `content` in base64')
  return new FileBytes(
    name,
    validMediaType(mimetype),
    Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'),
  )
}
