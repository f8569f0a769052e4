import * as contract from '../../contract/files.ts'
import type { Api } from '../../platform/http/call.ts'
import { pageOf, readPage } from '../../platform/http/paging.ts'
import type { FileService } from './service.ts'

export function fileRoutes(api: Api, files: FileService): void {
  api.on(contract.listFiles, async ({ projectId, query }) => {
    const page = readPage(query)
    const { rows, total, next } = await files.list(
      projectId,
      { toolkit: query.toolkit_slug, tool: query.tool_slug },
      page,
    )
    return pageOf(
      rows.map(({ toolkit_slug, tool_slug, filename, mimetype, md5 }) => ({
        toolkit_slug,
        tool_slug,
        filename,
        mimetype,
        md5,
      })),
      total,
      page,
      next,
    )
  })
  api.on(contract.requestUpload, async ({ projectId, settings, body }) => {
    const { id, key, url } = await files.requestUpload(projectId, body, settings.fileUrlSeconds)
    return {
      id,
      key,
      type: 'new' as const,
      new_presigned_url: url,
      newPresignedUrl: url,
      metadata: { storage_backend: 's3' as const },
    }
  })
}
