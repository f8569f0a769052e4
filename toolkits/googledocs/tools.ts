import { type CodeTool, ToolFailure } from '../../src/catalog/code-tool.ts'
import { type Document, readable } from './read.ts'

const ID = /^[A-Za-z0-9_-]{1,200}$/
const CHARS = { default: 50_000, max: 500_000 }

export const tools: Record<string, CodeTool> = {
  async GOOGLEDOCS_READ_DOCUMENT({ document_id: id, max_chars: maxChars }, { request }) {
    if (typeof id !== 'string' || !ID.test(id))
      throw new ToolFailure(
        'document_id is not an id of a Google document: take the part of its address behind /document/d/.',
      )
    const document = await request({
      method: 'GET',
      path: `/v1/documents/${id}`,
      query: { includeTabsContent: true },
    })
    const chars =
      typeof maxChars === 'number' && Number.isInteger(maxChars) && maxChars > 0
        ? Math.min(maxChars, CHARS.max)
        : CHARS.default
    return readable((document ?? {}) as Document, chars)
  },
}
