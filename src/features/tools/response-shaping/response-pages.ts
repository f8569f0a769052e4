import type { ResponseInfo } from '../../../contract/tools/index.ts'
import type { Encryptor, ProjectEncryptor } from '../../../platform/crypto/index.ts'
import type { Db } from '../../../platform/db/sql.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import { newId } from '../../../platform/ids.ts'
import type { Logger } from '../../../platform/log.ts'
import { countTokens, type PagePart, splitPages } from './split-pages.ts'
import * as store from './store.ts'

/** Pages up to this size are encrypted together, in one row. */
const SEGMENT_BYTES = 64 * 1024
/** The limit of all stored pages of a project. */
const PROJECT_BYTES_MAX = 500 * 1024 * 1024

export interface ResponsePageDeps {
  db: Db
  encryptor: Encryptor
}
export interface FirstPageOptions {
  tokensMax: number
  /** Whether the project stores data, so that later pages can be read. */
  mayStore: boolean
  log: Logger
}
interface ResponsePage {
  data: Record<string, unknown>
  response: ResponseInfo
}

/** Returns the first page of data, and stores the others if the project stores data. */
export async function firstPage(
  { db, encryptor }: ResponsePageDeps,
  projectId: string,
  data: Record<string, unknown>,
  { tokensMax, mayStore, log }: FirstPageOptions,
): Promise<ResponsePage> {
  const tokens = countTokens(data)
  if (tokens <= tokensMax) return { data, response: { page: 1, pages: 1, tokens, next_page: null } }
  const parts = splitPages(data, tokensMax)
  const first = parts[0] as PagePart
  const response = {
    page: 1,
    pages: parts.length,
    tokens: countTokens(first.data),
    total_tokens: tokens,
    next_page: null,
    begins_at: '',
  }
  if (parts.length === 1 || !mayStore) return { data: first.data, response }
  const id = newId('rsp')
  // The tool has run, so its first page is returned even if the others cannot be stored.
  const expiresAt = await encryptor
    .ofProject(projectId)
    .then((own) => store.insertPages(db, projectId, id, encryptSegments(id, parts, own), PROJECT_BYTES_MAX))
    .catch((error: unknown) => {
      log.error({ err: error }, 'The pages of a response could not be stored.')
      return undefined
    })
  if (!expiresAt) return { data: first.data, response }
  const expires_at = expiresAt.toISOString()
  return { data: first.data, response: { ...response, id, next_page: 2, expires_at } }
}

/** Returns a later page. @throws ApiError 404 for a page that does not exist or has expired */
export async function laterPage(
  { db, encryptor }: ResponsePageDeps,
  projectId: string,
  id: string,
  page: number,
): Promise<ResponsePage> {
  const row = await store.findPage(db, projectId, id, page)
  if (!row) {
    throw new ApiError(
      'ActionExecute_ResponseNotFound',
      `The response ${id} has no page ${page}, or it has expired.`,
    )
  }
  const parts = encryptor.decrypt<PagePart[]>(row.encrypted_payload, encryptionContext(row.id))
  const { data, begins_at } = parts[page - row.first_page] as PagePart
  return {
    data,
    response: {
      id,
      page,
      pages: row.pages,
      tokens: countTokens(data),
      next_page: page < row.pages ? page + 1 : null,
      begins_at,
      expires_at: row.expires_at.toISOString(),
    },
  }
}

const encryptionContext = (id: string) => `response_pages:${id}:encrypted_payload`

function encryptSegments(
  responseId: string,
  parts: readonly PagePart[],
  encryptor: ProjectEncryptor,
): store.PageSegment[] {
  const segments: store.PageSegment[] = []
  for (let first = 0; first < parts.length;) {
    const texts: string[] = []
    let length = 0
    while (first + texts.length < parts.length && (texts.length === 0 || length < SEGMENT_BYTES)) {
      const text = JSON.stringify(parts[first + texts.length])
      texts.push(text)
      length += text.length
    }
    const id = `${responseId}.${segments.length}`
    const encrypted = encryptor.encryptText(`[${texts.join()}]`, encryptionContext(id))
    segments.push({
      id,
      first_page: first + 1,
      last_page: first + texts.length,
      encrypted_payload: encrypted.toString('base64'),
    })
    first += texts.length
  }
  return segments
}
