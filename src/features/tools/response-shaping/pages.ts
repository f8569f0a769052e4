import type { ResponseInfo } from '../../../contract/tools.ts'
import type { Encryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { newId } from '../../../platform/ids.ts'
import type { Logger } from '../../../platform/log.ts'
import { type PagePart, split, tokensIn } from './split.ts'
import * as store from './store.ts'

/** Pages that are sealed together: a row holds one or more of them. */
const SEGMENT_BYTES = 64 * 1024
/** What a project may keep at a time. */
const PROJECT_BYTES_MAX = 500 * 1024 * 1024

export interface PageDeps {
  db: Db
  encryptor: Encryptor
}
export interface Wanted {
  tokens: number
  mayStore: boolean
  log: Logger
}
type Page = { data: Record<string, unknown>; response: ResponseInfo }

/** The first page of data that may be larger than its caller wants, with a handle to the others where the project stores data at all. */
export async function firstPage(
  { db, encryptor }: PageDeps,
  projectId: string,
  data: Record<string, unknown>,
  { tokens, mayStore, log }: Wanted,
): Promise<Page> {
  const whole = tokensIn(data)
  if (whole <= tokens) return { data, response: { page: 1, pages: 1, tokens: whole, next_page: null } }
  const parts = split(data, tokens)
  const first = parts[0] as PagePart
  const info = {
    page: 1,
    pages: parts.length,
    tokens: tokensIn(first.data),
    total_tokens: whole,
    next_page: null,
    begins_at: '',
  }
  if (parts.length === 1 || !mayStore) return { data: first.data, response: info }
  const id = newId('rsp')
  // What was executed was executed: its first page is told also when the others cannot be kept.
  const expires = await store
    .insert(db, projectId, id, segmentsOf(id, parts, encryptor), PROJECT_BYTES_MAX)
    .catch((error: unknown) => void log.error({ err: error }, 'the pages of an answer could not be kept'))
  return {
    data: first.data,
    response: expires ? { ...info, id, next_page: 2, expires_at: expires.toISOString() } : info,
  }
}

/** Another page. @throws ApiError 404 when there is none, or none any more */
export async function laterPage(
  { db, encryptor }: PageDeps,
  projectId: string,
  id: string,
  page: number,
): Promise<Page> {
  const row = await store.find(db, projectId, id, page)
  if (!row)
    throw new ApiError(
      'ActionExecute_ResponseNotFound',
      `The answer ${id} has no page ${page}, or is not kept any more.`,
    )
  const { data, begins_at } = encryptor.decrypt<PagePart[]>(row.encrypted_payload, contextOf(row.id))[
    page - row.first_page
  ] as PagePart
  return {
    data,
    response: {
      id,
      page,
      pages: row.pages,
      tokens: tokensIn(data),
      next_page: page < row.pages ? page + 1 : null,
      begins_at,
      expires_at: row.expires_at.toISOString(),
    },
  }
}

const contextOf = (id: string) => `response_pages:${id}:encrypted_payload`

function segmentsOf(responseId: string, parts: readonly PagePart[], encryptor: Encryptor): store.Segment[] {
  const segments: store.Segment[] = []
  for (let from = 0; from < parts.length;) {
    const texts: string[] = []
    for (let bytes = 0; from + texts.length < parts.length && (texts.length === 0 || bytes < SEGMENT_BYTES);)
      bytes += texts[texts.push(JSON.stringify(parts[from + texts.length])) - 1]?.length ?? 0
    const id = `${responseId}.${segments.length}`
    segments.push({
      id,
      first_page: from + 1,
      last_page: from + texts.length,
      encrypted_payload: encryptor.encryptText(`[${texts.join()}]`, contextOf(id)).toString('base64'),
    })
    from += texts.length
  }
  return segments
}
