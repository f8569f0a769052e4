import { type Static, Type } from 'typebox'
import { PageOf, PageQuery } from './common.ts'
import { route } from './route.ts'

const files = { audience: 'project', permission: { area: 'tool_execution', level: 'write' } } as const

/** RFC 9110 §8.3.1: type, subtype and parameters that are tokens or quoted. */
const MIME_TYPE =
  '^[\\w!#$&^.+-]{1,127}/[\\w!#$&^.+-]{1,127}( *; *[\\w!#$&^.+-]+=([\\w!#$&^.+-]+|"[^"\\\\\\r\\n]*"))*$'
const SlugText = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })

const FileEntry = Type.Object({
  toolkit_slug: Type.String(),
  tool_slug: Type.String(),
  filename: Type.String(),
  mimetype: Type.String(),
  md5: Type.String(),
})

export const listFiles = route({
  ...files,
  id: 'files.list',
  method: 'GET',
  path: '/files/list',
  summary: 'List files',
  deprecated: { 'v3.1': '@1767225600' },
  query: Type.Object({
    toolkit_slug: Type.Optional(SlugText),
    tool_slug: Type.Optional(SlugText),
    ...PageQuery,
  }),
  reply: PageOf(FileEntry),
})

const UploadRequest = Type.Object({
  toolkit_slug: SlugText,
  tool_slug: SlugText,
  filename: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^\\u0000-\\u001f\\u007f]+$',
    examples: ['invoice.pdf'],
  }),
  mimetype: Type.String({ maxLength: 255, pattern: MIME_TYPE, examples: ['application/pdf'] }),
  md5: Type.String({
    pattern: '^[0-9a-fA-F]{32}$',
    maxLength: 32,
    description: 'Of the bytes, in hexadecimal.',
    examples: ['9e107d9d372bb6826bd81d3542a419d6'],
  }),
})
export type UploadRequest = Static<typeof UploadRequest>

export const requestUpload = route({
  ...files,
  id: 'files.upload',
  method: 'POST',
  path: '/files/upload/request',
  summary: 'Request an upload address',
  body: UploadRequest,
  reply: Type.Object({
    id: Type.String(),
    key: Type.String({ description: 'What a tool takes as `s3key`.' }),
    type: Type.Literal('new'),
    new_presigned_url: Type.String({
      description: 'PUT the bytes here, with the mimetype as Content-Type and without a key.',
    }),
    newPresignedUrl: Type.String({ description: 'The same.' }),
    metadata: Type.Object({ storage_backend: Type.Literal('s3') }),
  }),
  errors: ['File_QuotaExceeded'],
})
